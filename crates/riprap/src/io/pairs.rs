//! Pairs out.

use std::io::{self, Write};
use std::path::Path;

use super::{npy, write_whole};
use crate::broad::Pair;
use crate::error::AXES;
use crate::{Criterion, Spheres};

/// The format of a file of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairFormat<'a> {
    /// A header and a line per pair, `i,j` and the columns asked for.
    Csv {
        /// Adds `overlap`: how deep the two overlap, negative for a gap.
        overlap: bool,
        /// Adds `sx,sy[,sz]`: box lengths to add to `j` to reach its image next to `i`.
        shift: bool,
        /// Adds `id_i,id_j`: what the particles of each row are called.
        ids: Option<&'a [u64]>,
    },
    /// A NumPy array of uint32 with two columns.
    Npy,
}

/// Writes pairs in the order given.
pub fn write_pairs<const D: usize>(
    path: &Path,
    format: PairFormat<'_>,
    pairs: &[Pair],
    spheres: &Spheres<'_, D>,
    criterion: &Criterion<D>,
) -> io::Result<()> {
    write_whole(path, |writer| match format {
        PairFormat::Npy => npy::write_pairs(writer, pairs.iter().map(|pair| [pair.a, pair.b])),
        PairFormat::Csv { overlap, shift, ids } => {
            write!(writer, "i,j")?;
            if overlap {
                write!(writer, ",overlap")?;
            }
            if shift {
                AXES[..D].iter().try_for_each(|axis| write!(writer, ",s{axis}"))?;
            }
            writeln!(writer, "{}", if ids.is_some() { ",id_i,id_j" } else { "" })?;
            for pair in pairs {
                write!(writer, "{},{}", pair.a, pair.b)?;
                let (a, b) = (pair.a as usize, pair.b as usize);
                let (xa, xb) = (spheres.centers()[a], spheres.centers()[b]);
                if overlap {
                    write!(writer, ",{}", criterion.overlap(xa, spheres.radii()[a], xb, spheres.radii()[b]))?;
                }
                if shift {
                    criterion.shift(xa, xb).iter().try_for_each(|boxes| write!(writer, ",{boxes}"))?;
                }
                if let Some(ids) = ids {
                    write!(writer, ",{},{}", ids[a], ids[b])?;
                }
                writeln!(writer)?;
            }
            Ok(())
        }
    })
}

//! The periodic box of a file of particles: what `--periodic` says, else what the file says.

use std::path::Path;
use std::str::FromStr;

use anyhow::anyhow;
use riprap::io::FileRegion;

use crate::Failure;

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// What `--periodic` says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BoxChoice {
    /// No axis is periodic.
    None,
    /// These are, with the box of the file.
    Axes([bool; 3]),
    /// Lengths along each axis, infinite where it is open.
    Lengths(Vec<f64>),
}

impl FromStr for BoxChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        if parts == ["none"] {
            return Ok(Self::None);
        }
        if parts.iter().all(|part| AXES.contains(part)) {
            return Ok(Self::Axes(AXES.map(|axis| parts.contains(&axis))));
        }
        let lengths: Result<Vec<f64>, _> = parts.iter().map(|part| part.parse()).collect();
        lengths.map(Self::Lengths).map_err(|_| {
            "expected lengths such as `10,10,inf` (`inf` for an open axis), axes of the file's box such as `x,y`, or `none`".to_string()
        })
    }
}

/// Lengths of the box, infinite along open axes; says where they are from if nobody has asked for them.
pub(crate) fn periodic_lengths<const D: usize>(
    choice: Option<&BoxChoice>,
    region: Option<&FileRegion>,
    path: &Path,
) -> Result<[f64; D], Failure> {
    let of_file = |region: &FileRegion, axes: [bool; 3]| {
        let length = |k: usize| region.bounds[k][1] - region.bounds[k][0];
        std::array::from_fn(|k| if axes[k] { length(k) } else { f64::INFINITY })
    };
    let refuse = |reason: String| Err(Failure::input(anyhow!(reason)));
    match (choice, region) {
        (Some(BoxChoice::None), _) | (None, None) => Ok([f64::INFINITY; D]),
        (Some(BoxChoice::Lengths(lengths)), _) => lengths.as_slice().try_into().or_else(|_| {
            let (given, file) = (lengths.len(), path.display());
            refuse(format!("--periodic has {given} lengths, but the particles of {file} are {D}D"))
        }),
        (Some(BoxChoice::Axes(_)), None) => {
            refuse(format!("{}: has no box, expected its lengths: --periodic LX,LY,LZ", path.display()))
        }
        (Some(BoxChoice::Axes([_, _, true])), _) if D == 2 => {
            refuse(format!("--periodic z: the particles of {} are 2D", path.display()))
        }
        (Some(BoxChoice::Axes(axes)), Some(region)) => Ok(of_file(region, *axes)),
        (None, Some(region)) => {
            let lengths: [f64; D] = of_file(region, region.periodic.unwrap_or_default());
            let axes: Vec<String> = (0..D)
                .filter(|&k| lengths[k].is_finite())
                .map(|k| format!("{} ({})", AXES[k], lengths[k]))
                .collect();
            if region.periodic.is_none() {
                note!(
                    "note: the file has a box, and does not say along which axes it is periodic; it is taken as open, --periodic x,y,z \
                     says otherwise"
                );
            } else if !axes.is_empty() {
                note!(
                    "note: periodic along {}, as the file says; --periodic says otherwise",
                    axes.join(", ")
                );
            }
            Ok(lengths)
        }
    }
}

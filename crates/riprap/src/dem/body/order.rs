//! An order of bodies in which neighbours in space are neighbours in memory: the Morton curve through cells.

/// Rows in the order of the curve through cells of this width, those of one cell in their present order.
pub(crate) fn along_curve<const D: usize>(positions: &[[f64; D]], width: f64) -> Vec<u32> {
    let mut low = [f64::INFINITY; D];
    for position in positions {
        for k in 0..D {
            low[k] = low[k].min(position[k]);
        }
    }
    let mut keys: Vec<(u64, u32)> = positions
        .iter()
        .enumerate()
        .map(|(row, position)| {
            let cell = std::array::from_fn(|k| ((position[k] - low[k]) / width) as u32);
            (interleave::<D>(cell), row as u32)
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, row)| row).collect()
}

/// The bits of all coordinates in turn, from the lowest; those beyond 21 are dropped.
fn interleave<const D: usize>(cell: [u32; D]) -> u64 {
    (0..D).map(|k| spread::<D>(cell[k]) << k).fold(0, |key, bits| key | bits)
}

/// The lowest 21 bits with `D - 1` zeros after each.
fn spread<const D: usize>(value: u32) -> u64 {
    let mut bits = u64::from(value) & 0x1f_ffff;
    if D == 2 {
        for (shift, mask) in
            [(16, 0x0000_ffff_0000_ffff), (8, 0x00ff_00ff_00ff_00ff), (4, 0x0f0f_0f0f_0f0f_0f0f)]
        {
            bits = (bits | bits << shift) & mask;
        }
        for (shift, mask) in [(2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555)] {
            bits = (bits | bits << shift) & mask;
        }
    } else {
        for (shift, mask) in
            [(32, 0x001f_0000_0000_ffff), (16, 0x001f_0000_ff00_00ff), (8, 0x100f_00f0_0f00_f00f)]
        {
            bits = (bits | bits << shift) & mask;
        }
        for (shift, mask) in [(4, 0x10c3_0c30_c30c_30c3), (2, 0x1249_2492_4924_9249)] {
            bits = (bits | bits << shift) & mask;
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_take_turns() {
        for (cell, key) in [([1, 0, 0], 1), ([0, 1, 0], 2), ([0, 0, 1], 4), ([2, 0, 0], 8), ([3, 3, 3], 63)] {
            assert_eq!(interleave::<3>(cell), key);
        }
        assert_eq!(interleave::<3>([0x1f_ffff; 3]), (1 << 63) - 1);
        assert_eq!(interleave::<2>([0b11, 0b10]), 0b1101);
        assert_eq!(interleave::<2>([0x1f_ffff; 2]), (1 << 42) - 1);
    }

    #[test]
    fn a_square_is_walked_quarter_by_quarter() {
        let positions: Vec<[f64; 2]> = (0..16).map(|k| [f64::from(k % 4), f64::from(k / 4)]).collect();
        assert_eq!(along_curve(&positions, 1.0)[..8], [0, 1, 4, 5, 2, 3, 6, 7]);
    }
}

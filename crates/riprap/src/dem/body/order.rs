//! An order of bodies in which neighbours in space are neighbours in memory: the Morton curve through cells of a fixed lattice.
//!
//! The lattice does not depend on where the bodies are, and bodies of one cell are sorted by id: any process that holds some of the
//! bodies sorts them in the same order.

/// Rows in the order of the curve through cells of at least this width, those of one cell in the order of their ids.
pub(crate) fn along_curve<const D: usize>(positions: &[[f64; D]], ids: &[u64], width: f64) -> Vec<u32> {
    let width = power_of_two(width);
    let mut keys: Vec<(u64, u64, u32)> = positions
        .iter()
        .zip(ids)
        .enumerate()
        .map(|(row, (position, id))| {
            // Of numbers of cells the lowest bits count: beyond two million cells the curve repeats itself, which costs locality only.
            let cell = std::array::from_fn(|k| (position[k] / width).floor() as i64 as u32);
            (interleave::<D>(cell), *id, row as u32)
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, _, row)| row).collect()
}

/// The smallest power of two that is not below a positive number: its quotients are exact.
fn power_of_two(number: f64) -> f64 {
    let below = f64::from_bits(number.to_bits() & !((1 << 52) - 1));
    if below == number { below } else { 2.0 * below }
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
        let ids: Vec<u64> = (0..16).collect();
        assert_eq!(along_curve(&positions, &ids, 1.0)[..8], [0, 1, 4, 5, 2, 3, 6, 7]);
        assert_eq!(along_curve(&positions[..2], &[9, 3], 8.0), [1, 0]);
    }

    /// Any part of the bodies has the order that it has among all.
    #[test]
    fn the_order_does_not_depend_on_who_else_is_there() {
        let mut random = crate::Random::new(4);
        let positions: Vec<[f64; 3]> =
            (0..500).map(|_| std::array::from_fn(|_| random.uniform(-30.0, 40.0))).collect();
        let ids: Vec<u64> = (0..500).map(|k| k * 7919 % 500).collect();
        let all: Vec<u64> = along_curve(&positions, &ids, 5.3).iter().map(|row| ids[*row as usize]).collect();
        let some: Vec<usize> = (0..500).rev().filter(|_| random.below(3) == 0).collect();
        let (places, names): (Vec<_>, Vec<_>) = some.iter().map(|&row| (positions[row], ids[row])).unzip();
        let order: Vec<u64> =
            along_curve(&places, &names, 5.3).iter().map(|row| names[*row as usize]).collect();
        let expected: Vec<u64> = all.into_iter().filter(|id| names.contains(id)).collect();
        assert_eq!(order, expected);
    }

    #[test]
    fn powers_of_two_are_the_next_ones() {
        for (number, power) in [(1.0, 1.0), (1.1, 2.0), (0.3, 0.5), (4.0, 4.0), (1e-200, 1e-200f64)] {
            let found = power_of_two(number);
            assert!(found >= number && found < 2.0 * number && (number < 1e-9 || found == power));
        }
    }
}

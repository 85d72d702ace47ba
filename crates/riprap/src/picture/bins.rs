//! Which things may be seen in which tile.

use super::tiles::SIDE;

/// A rectangle of the picture, in samples: its least and its greatest corner.
pub(super) type Rectangle = [[f64; 2]; 2];

/// For each tile, row by row, the indices of the things that may be seen in it, in their order.
pub(super) struct Bins {
    /// Tiles in a row.
    pub(super) across: usize,
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Bins {
    /// Sorts things into the tiles that their rectangles touch; those without one are nowhere.
    pub(super) fn new(size: [usize; 2], rectangles: impl Iterator<Item = Option<Rectangle>> + Clone) -> Self {
        let counts = size.map(|samples| samples.div_ceil(SIDE));
        let tiles = |rectangle: Option<Rectangle>| {
            let [columns, rows] = rectangle.map_or([0..0, 0..0], |[least, most]| {
                // Casts bring what is outside to the border, which is wrong only for what ends left of it or above.
                let tile = |place: f64| (place / SIDE as f64) as usize;
                let end = |place: f64| if place < 0.0 { 0 } else { tile(place).saturating_add(1) };
                [0, 1].map(|k| tile(least[k])..end(most[k]).min(counts[k]))
            });
            rows.flat_map(move |row| columns.clone().map(move |column| row * counts[0] + column))
        };
        let mut starts = vec![0; counts[0] * counts[1] + 1];
        for tile in rectangles.clone().flat_map(tiles) {
            starts[tile + 1] += 1;
        }
        for tile in 1..starts.len() {
            starts[tile] += starts[tile - 1];
        }
        let mut ends = starts.clone();
        let mut items = vec![0; starts[starts.len() - 1]];
        for (rectangle, item) in rectangles.zip(0..) {
            for tile in tiles(rectangle) {
                items[ends[tile]] = item;
                ends[tile] += 1;
            }
        }
        Self { across: counts[0], starts, items }
    }

    pub(super) fn tile(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index]..self.starts[index + 1]]
    }

    pub(super) fn tiles(&self) -> usize {
        self.starts.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_things_in_order_even_from_far_away() {
        let endless = [[-1e300, f64::NEG_INFINITY], [1e300, f64::INFINITY]];
        let things =
            [Some([[70.0, 0.0], [90.0, 10.0]]), None, Some(endless), Some([[-9.0, -9.0], [-5.0, 4.0]])];
        let bins = Bins::new([128, 65], things.into_iter());
        let tiles: Vec<&[u32]> = (0..bins.tiles()).map(|tile| bins.tile(tile)).collect();
        assert_eq!(tiles, [&[2][..], &[0, 2], &[2], &[2]]);
    }
}

//! Files as `cases.py` writes them.

/// A center, and a unit quaternion with w first.
pub(crate) struct Pose {
    pub(crate) center: [f64; 3],
    pub(crate) quaternion: [f64; 4],
}

pub(crate) struct Cases {
    pub(crate) pairs: usize,
    pub(crate) steps: usize,
    /// Vertices of each shape.
    pub(crate) shapes: Vec<Vec<[f64; 3]>>,
    /// Shapes of each pair.
    pub(crate) chosen: Vec<[usize; 2]>,
    /// All pairs of the first step, then of the next.
    pub(crate) poses: Vec<[Pose; 2]>,
}

impl Cases {
    pub(crate) fn read(file: &str) -> Self {
        let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut values =
            bytes.chunks_exact(8).map(|value| f64::from_le_bytes(value.try_into().expect("8 bytes")));
        let mut next = || values.next().expect("a complete file");
        let [shapes, pairs, steps] = [next(), next(), next()].map(|count| count as usize);
        let counts: Vec<_> = (0..shapes).map(|_| next() as usize).collect();
        Self {
            pairs,
            steps,
            shapes: counts
                .iter()
                .map(|&count| (0..count).map(|_| [(); 3].map(|()| next())).collect())
                .collect(),
            chosen: (0..pairs).map(|_| [(); 2].map(|()| next() as usize)).collect(),
            poses: (0..steps * pairs)
                .map(|_| {
                    [(); 2].map(|()| Pose {
                        center: [(); 3].map(|()| next()),
                        quaternion: [(); 4].map(|()| next()),
                    })
                })
                .collect(),
        }
    }
}

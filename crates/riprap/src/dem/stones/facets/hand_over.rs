//! Which contact of the last step goes on in which one of this step.

use super::super::memory::StoneMemory;
use crate::vector::dot;

/// Contacts with directions less alike than this (cosine) share no memory.
const ALIKE: f64 = 0.7;

/// For each of these directions the contact of the last step, by its index, that goes on in it: the most alike first.
pub(super) fn match_up<const D: usize>(
    directions: &[[f64; D]],
    last: &[StoneMemory<D>],
    matched: &mut Vec<Option<usize>>,
) {
    matched.clear();
    matched.resize(directions.len(), None);
    for _ in 0..directions.len().min(last.len()) {
        let (mut best, mut most) = (None, ALIKE);
        for (contact, direction) in directions.iter().enumerate().filter(|(k, _)| matched[*k].is_none()) {
            for (index, memory) in last.iter().enumerate() {
                let alike = dot(*direction, memory.link.normal);
                if alike > most && !matched.contains(&Some(index)) {
                    (best, most) = (Some((contact, index)), alike);
                }
            }
        }
        let Some((contact, index)) = best else { break };
        matched[contact] = Some(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_alike_go_on() {
        let memory = |normal: [f64; 2]| {
            let mut memory = StoneMemory::default();
            memory.link.normal = normal;
            memory
        };
        let mut matched = Vec::new();
        let last = [memory([1.0, 0.0]), memory([0.0, 1.0])];
        match_up(&[[0.0, 1.0], [0.8, 0.6], [0.0, -1.0]], &last, &mut matched);
        assert_eq!(matched, [Some(1), Some(0), None]);
        match_up(&[[0.8, 0.6], [1.0, 0.0]], &last[..1], &mut matched);
        assert_eq!(matched, [None, Some(0)]);
    }
}

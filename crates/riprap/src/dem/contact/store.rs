//! The memory of contacts: what each remembers from step to step, kept by who touches whom.
//!
//! A list of pairs that may touch, in ascending order of their keys, changes when bodies move and when their rows change; the memory
//! follows it. A [`Store`] is the column of memories beside such a list, for pairs of bodies as for bodies and walls, with numbers of
//! any count per contact:
//!
//! 1. [`Store::compact`] moves what touching slots remember to the front and tells their keys;
//! 2. [`Kept::rename`] gives them new keys, such as new rows, forgets some and mirrors those whose bodies change places;
//! 3. [`Store::spread`] gives them to the slots with their keys in a new list.
//!
//! A rebuild of the list, which is frequent, is done in place: there is no second copy of the largest column. For the world outside
//! keys are ids, never rows: see [`Remembered`].

use crate::archive::{Damage, Rest, Values};

/// What the contacts of a list remember, a slot for each entry of the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Store {
    /// Numbers per slot.
    words: usize,
    /// Whether each slot touched at the last step.
    touching: Vec<bool>,
    /// What the slots remember; means nothing where they do not touch.
    numbers: Vec<f64>,
}

/// Keys of what a store keeps while its list changes, in the order of the memories at its front.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept<K> {
    keys: Vec<K>,
}

/// Slots of a store, to be shared out.
pub(crate) struct Slots<'a> {
    pub(crate) words: usize,
    pub(crate) touching: &'a mut [bool],
    pub(crate) numbers: &'a mut [f64],
}

impl Store {
    /// An empty store with this count of numbers per contact.
    pub(crate) fn new(words: usize) -> Self {
        Self { words, touching: Vec::new(), numbers: Vec::new() }
    }

    /// Number of slots.
    pub(crate) fn len(&self) -> usize {
        self.touching.len()
    }

    /// Moves what touching slots of the list remember to the front and tells their keys.
    pub(crate) fn compact<K: Copy>(&mut self, list: &[K]) -> Kept<K> {
        let mut keys = Vec::with_capacity(self.touching.iter().filter(|touching| **touching).count());
        for (slot, &key) in list.iter().enumerate() {
            if self.touching.get(slot) == Some(&true) {
                self.copy(slot, keys.len());
                keys.push(key);
            }
        }
        self.touching.clear();
        Kept { keys }
    }

    /// Replaces all memories by these, in the order of their keys.
    pub(crate) fn fill<K: Copy + Ord>(&mut self, mut entries: Vec<(K, &[f64])>) -> Kept<K> {
        entries.sort_unstable_by_key(|(key, _)| *key);
        self.touching.clear();
        self.numbers.clear();
        for (_, numbers) in &entries {
            self.numbers.extend_from_slice(numbers);
        }
        Kept { keys: entries.into_iter().map(|(key, _)| key).collect() }
    }

    /// Gives what is kept to the slots with its keys in a new list, if they are there.
    pub(crate) fn spread<K: Copy + Ord>(&mut self, mut kept: Kept<K>, list: &[K]) {
        let keys = &mut kept.keys;
        let (mut count, mut slot) = (0, 0);
        for index in 0..keys.len() {
            slot += list[slot..].iter().take_while(|key| **key < keys[index]).count();
            if list.get(slot) == Some(&keys[index]) {
                keys[count] = keys[index];
                self.copy(index, count);
                count += 1;
            }
        }
        keys.truncate(count);
        // The keys left are all in the new list, none earlier than before: from the back, none is overwritten before it is moved.
        self.numbers.resize(list.len().max(count) * self.words, 0.0);
        self.touching.clear();
        self.touching.resize(list.len(), false);
        let mut slot = list.len();
        for (index, key) in keys.iter().enumerate().rev() {
            slot -= 1;
            while list[slot] != *key {
                slot -= 1;
            }
            self.copy(index, slot);
            self.touching[slot] = true;
        }
        self.numbers.truncate(list.len() * self.words);
    }

    #[inline(always)]
    fn copy(&mut self, from: usize, to: usize) {
        self.numbers.copy_within(from * self.words..(from + 1) * self.words, to * self.words);
    }

    /// Keys and memories of the slots that touch, in the order of the list.
    pub(crate) fn entries<'a, K: Copy>(&'a self, list: &'a [K]) -> impl Iterator<Item = (K, &'a [f64])> {
        let slots = list.iter().zip(&self.touching).enumerate();
        slots
            .filter(|(_, (_, touching))| **touching)
            .map(|(slot, (key, _))| (*key, &self.numbers[slot * self.words..(slot + 1) * self.words]))
    }

    /// Number of slots that touch.
    pub(crate) fn touching(&self) -> usize {
        self.touching.iter().filter(|touching| **touching).count()
    }

    /// All slots, to be worked on.
    pub(crate) fn slots(&mut self) -> Slots<'_> {
        Slots { words: self.words, touching: &mut self.touching, numbers: &mut self.numbers }
    }

    /// Gives back memory that is reserved far beyond the need.
    pub(crate) fn trim(&mut self) {
        crate::broad::trim(&mut self.touching);
        crate::broad::trim(&mut self.numbers);
    }

    /// Bytes reserved.
    pub(crate) fn bytes(&self) -> usize {
        self.touching.capacity() + 8 * self.numbers.capacity()
    }
}

impl<K: Copy + Ord> Kept<K> {
    /// Gives the memories new keys. Where there is none they are forgotten; where the second value is true, first and second
    /// have changed places, which `mirror` carries out on the memory.
    pub(crate) fn rename<L: Copy + Ord>(
        self,
        store: &mut Store,
        new_key: impl Fn(K) -> Option<(L, bool)>,
        mirror: impl Fn(&mut [f64]),
    ) -> Kept<L> {
        let words = store.words;
        let mut renamed: Vec<(L, u32)> = Vec::with_capacity(self.keys.len());
        for (index, key) in self.keys.iter().enumerate() {
            if let Some((key, swapped)) = new_key(*key) {
                if swapped {
                    mirror(&mut store.numbers[index * words..(index + 1) * words]);
                }
                renamed.push((key, index as u32));
            }
        }
        renamed.sort_unstable_by_key(|(key, _)| *key);
        let mut numbers = Vec::with_capacity(renamed.len() * words);
        for &(_, index) in &renamed {
            numbers.extend_from_slice(&store.numbers[index as usize * words..(index as usize + 1) * words]);
        }
        store.numbers = numbers;
        Kept { keys: renamed.into_iter().map(|(key, _)| key).collect() }
    }
}

impl Slots<'_> {
    /// The first slots and the others.
    pub(crate) fn split_at(self, slots: usize) -> (Self, Self) {
        let words = self.words;
        let (touching, touching_) = self.touching.split_at_mut(slots);
        let (numbers, numbers_) = self.numbers.split_at_mut(slots * words);
        (Self { words, touching, numbers }, Self { words, touching: touching_, numbers: numbers_ })
    }
}

/// Memories of contacts by who touches whom, as a state of the simulation has them: in ascending order, with the same count of numbers
/// each.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered<K> {
    /// Numbers per contact.
    pub words: usize,
    /// Who touches whom.
    pub keys: Vec<K>,
    /// What they remember.
    pub numbers: Vec<f64>,
}

impl<K> Default for Remembered<K> {
    fn default() -> Self {
        Self { words: 0, keys: Vec::new(), numbers: Vec::new() }
    }
}

impl<K: Copy + Ord> Remembered<K> {
    /// From keys in any order and their numbers, one after the other.
    pub(crate) fn new(words: usize, keys: &[K], numbers: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_unstable_by_key(|&index| keys[index]);
        let of = |index: &usize| &numbers[index * words..(index + 1) * words];
        Self {
            words,
            keys: order.iter().map(|&index| keys[index]).collect(),
            numbers: order.iter().flat_map(of).copied().collect(),
        }
    }

    /// Whether keys ascend, none is there twice, and every contact has its numbers.
    pub(crate) fn is_sound(&self) -> bool {
        self.keys.is_sorted_by(|a, b| a < b)
            && self.keys.len().checked_mul(self.words) == Some(self.numbers.len())
            && self.numbers.iter().all(|number| number.is_finite())
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Who touches whom, and what they remember.
    pub fn entries(&self) -> impl Iterator<Item = (K, &[f64])> {
        let of = |index: usize| &self.numbers[index * self.words..(index + 1) * self.words];
        self.keys.iter().enumerate().map(move |(index, key)| (*key, of(index)))
    }

    /// The same with other numbers for each contact, of this count.
    pub(crate) fn refitted(self, words: usize, fit: impl Fn(&[f64]) -> Vec<f64>) -> Self {
        let numbers = self.entries().flat_map(|(_, numbers)| fit(numbers)).collect();
        Self { words, numbers, keys: self.keys }
    }

    /// Writes the count, the numbers per contact, and each contact with its key.
    pub(crate) fn write_with(&self, values: &mut Values, key: impl Fn(&mut Values, &K)) {
        values.word(self.words as u64);
        values.word(self.len() as u64);
        for (who, numbers) in self.entries() {
            key(values, &who);
            values.vector(numbers);
        }
    }

    /// Reads what [`Remembered::write_with`] has written; keys must ascend.
    pub(crate) fn read_with(
        values: &mut Rest<'_>,
        key: impl Fn(&mut Rest<'_>) -> Result<K, Damage>,
    ) -> Result<Self, Damage> {
        let words: u16 = values.small()?;
        let words = usize::from(words);
        let count = values.count(1 + words)?;
        let (mut keys, mut numbers) = (Vec::with_capacity(count), Vec::with_capacity(count * words));
        for _ in 0..count {
            keys.push(key(values)?);
            for _ in 0..words {
                numbers.push(values.finite()?);
            }
        }
        let remembered = Self { words, keys, numbers };
        if remembered.is_sound() {
            Ok(remembered)
        } else {
            Err(Damage::Impossible("contacts are not in order, or one is there twice"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Key = (u32, u32);

    /// A list of keys, and what some of them remember.
    fn contacts() -> impl Strategy<Value = (Vec<Key>, BTreeMap<Key, [f64; 2]>)> {
        let key = (0u32..12, 0u32..12).prop_filter("two bodies", |(a, b)| a < b);
        proptest::collection::btree_map(key, proptest::option::of(-9.0f64..9.0), 0..40).prop_map(|all| {
            let touching =
                all.iter().filter_map(|(key, value)| value.map(|value| (*key, [value, -2.0 * value])));
            (all.keys().copied().collect(), touching.collect())
        })
    }

    fn filled(list: &[Key], memories: &BTreeMap<Key, [f64; 2]>) -> Store {
        let mut store = Store::new(2);
        let kept = store.fill(memories.iter().rev().map(|(key, numbers)| (*key, &numbers[..])).collect());
        store.spread(kept, list);
        store
    }

    fn read(store: &Store, list: &[Key]) -> BTreeMap<Key, [f64; 2]> {
        store.entries(list).map(|(key, numbers)| (key, [numbers[0], numbers[1]])).collect()
    }

    proptest! {
        #[test]
        fn memories_follow_their_keys_to_a_new_list((list, memories) in contacts(), (new_list, _) in contacts()) {
            let mut store = filled(&list, &memories);
            prop_assert_eq!(read(&store, &list), memories.clone());
            prop_assert_eq!(store.touching(), memories.len());
            let kept = store.compact(&list);
            store.spread(kept, &new_list);
            prop_assert_eq!(store.len(), new_list.len());
            let expected: BTreeMap<Key, [f64; 2]> =
                memories.into_iter().filter(|(key, _)| new_list.contains(key)).collect();
            prop_assert_eq!(read(&store, &new_list), expected);
        }

        /// Bodies get new rows, some leave; a pair whose rows change their order sees its memory from the other side.
        #[test]
        fn memories_follow_bodies_to_new_rows(
            (list, memories) in contacts(),
            order in Just((0u32..12).collect::<Vec<u32>>()).prop_shuffle(),
            gone in 0u32..13,
        ) {
            let new_row = |row: u32| (row != gone).then_some(order[row as usize]);
            let renamed = |(a, b): Key| {
                let (a, b) = (new_row(a)?, new_row(b)?);
                Some(((a.min(b), a.max(b)), a > b))
            };
            let negate = |numbers: &mut [f64]| numbers.iter_mut().for_each(|number| *number = -*number);
            let mut store = filled(&list, &memories);
            let kept = store.compact(&list).rename(&mut store, renamed, negate);
            let mut new_list: Vec<Key> = list.iter().filter_map(|key| renamed(*key)).map(|(key, _)| key).collect();
            new_list.sort_unstable();
            store.spread(kept, &new_list);
            let expected: BTreeMap<Key, [f64; 2]> = memories
                .iter()
                .filter_map(|(key, numbers)| {
                    let (key, swapped) = renamed(*key)?;
                    Some((key, numbers.map(|number| if swapped { -number } else { number })))
                })
                .collect();
            prop_assert_eq!(read(&store, &new_list), expected);
        }

        #[test]
        fn parts_see_their_slots((list, memories) in contacts(), at in 0usize..40) {
            let mut store = filled(&list, &memories);
            let at = at.min(list.len());
            let mut found = BTreeMap::new();
            let (first, second) = store.slots().split_at(at);
            for (part, keys) in [(first, &list[..at]), (second, &list[at..])] {
                prop_assert_eq!((part.touching.len(), part.numbers.len()), (keys.len(), 2 * keys.len()));
                let slots = keys.iter().zip(part.touching).zip(part.numbers.chunks_exact(2));
                found.extend(
                    slots.filter(|((_, touching), _)| **touching).map(|((key, _), memory)| (*key, [memory[0], memory[1]])),
                );
            }
            prop_assert_eq!(found, memories);
        }

        #[test]
        fn memories_come_back_from_a_file((list, memories) in contacts()) {
            let store = filled(&list, &memories);
            let (mut keys, mut numbers): (Vec<Key>, Vec<f64>) = (Vec::new(), Vec::new());
            for (key, memory) in store.entries(&list).collect::<Vec<_>>().into_iter().rev() {
                keys.push(key);
                numbers.extend_from_slice(memory);
            }
            let remembered = Remembered::new(2, &keys, &numbers);
            prop_assert!(remembered.is_sound() && remembered.len() == memories.len());
            let mut archive = crate::archive::Archive::new(3);
            archive.add(&Pairs(remembered.clone()));
            let file = archive.finish();
            let sections = crate::archive::Sections::parse(&file, 3, &["pairs"]).unwrap();
            prop_assert_eq!(sections.need::<Pairs>().unwrap().0, remembered);
        }
    }

    struct Pairs(Remembered<Key>);

    impl crate::archive::Section for Pairs {
        const NAME: &'static str = "pairs";
        const VERSION: u32 = 1;

        fn write(&self, values: &mut Values) {
            self.0.write_with(values, |values, (a, b)| values.word(u64::from(*a) << 32 | u64::from(*b)));
        }

        fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
            let key = |rest: &mut Rest<'_>| rest.word().map(|word| ((word >> 32) as u32, word as u32));
            Remembered::read_with(values, key).map(Self)
        }
    }
}

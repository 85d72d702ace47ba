//! The nodes of the tree, from the root down.

use super::leaf::{self, LEAF};
use super::record::{NodeBox, Record};
use super::visit::Contact;
use crate::broad::{Pair, Tally};

/// A half of a node has one in so many of its members at least.
const UNEVEN: usize = 8;

/// A node with all that is below it.
pub(super) struct Branch<'m, const D: usize> {
    members: &'m mut [Record<D>],
    bounds: NodeBox<D>,
    visitors: Vec<Record<D>>,
}

impl<const D: usize> Branch<'_, D> {
    /// Finds all pairs of its members, and of them with its visitors.
    pub(super) fn search<const IMAGES: bool, T: Tally>(
        mut self,
        contact: Contact<'_, D, IMAGES>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let mut search = TreeSearch::new(contact, &mut self.visitors, pairs, tally);
        search.node(self.members, &self.bounds, 0, 0, &mut Vec::new());
    }
}

/// A walk over the nodes.
pub(super) struct TreeSearch<'a, const D: usize, const IMAGES: bool, T> {
    contact: Contact<'a, D, IMAGES>,
    /// Visitors of the node and of those nodes that are still to come, those of the next one last.
    visitors: &'a mut Vec<Record<D>>,
    pairs: &'a mut Vec<Pair>,
    tally: &'a mut T,
}

impl<'a, const D: usize, const IMAGES: bool, T: Tally> TreeSearch<'a, D, IMAGES, T> {
    pub(super) fn new(
        contact: Contact<'a, D, IMAGES>,
        visitors: &'a mut Vec<Record<D>>,
        pairs: &'a mut Vec<Pair>,
        tally: &'a mut T,
    ) -> Self {
        Self { contact, visitors, pairs, tally }
    }

    /// Finds the pairs of these particles that have no part in a node with `small` members or fewer, and adds those nodes
    /// to the branches.
    pub(super) fn trunk<'m>(
        &mut self,
        members: &'m mut [Record<D>],
        small: usize,
        branches: &mut Vec<Branch<'m, D>>,
    ) {
        let bounds = NodeBox::around(members);
        self.node(members, &bounds, 0, small, branches);
    }

    /// Finds all pairs of these members, and of them with the visitors from `first` on, which it takes away; leaves those
    /// of nodes with `small` members or fewer to branches.
    fn node<'m>(
        &mut self,
        members: &'m mut [Record<D>],
        bounds: &NodeBox<D>,
        first: usize,
        small: usize,
        branches: &mut Vec<Branch<'m, D>>,
    ) {
        if members.len() <= small {
            branches.push(Branch { members, bounds: *bounds, visitors: self.visitors.split_off(first) });
            return;
        }
        let (axis, extent) = bounds.longest();
        let mut leaving = 0;
        if members.len() > LEAF && self.contact.fills(bounds.largest, extent) {
            leaving = partition(members, |member| self.contact.fills(member.radius, extent));
        }
        let (wide, rest) = members.split_at_mut(leaving);
        self.test(wide, first);
        if rest.len() <= LEAF {
            self.visitors.extend_from_slice(wide);
            self.test(rest, first);
            self.visitors.truncate(first);
            return;
        }
        let middle = halve(rest, axis, bounds);
        let (lower, upper) = rest.split_at_mut(middle);
        let [lower_bounds, upper_bounds] = [&*lower, &*upper].map(NodeBox::around);
        // The visitors of the upper half wait behind those of the node until the lower half is done.
        let upper_first = self.visitors.len();
        self.enter(&upper_bounds, first..upper_first, wide);
        self.come(&upper_bounds, lower, |member| *member);
        let lower_first = self.visitors.len();
        self.enter(&lower_bounds, first..upper_first, wide);
        self.come(&lower_bounds, upper, |member| member.above());
        self.node(lower, &lower_bounds, lower_first, small, branches);
        self.node(upper, &upper_bounds, upper_first, small, branches);
        self.visitors.truncate(first);
    }

    /// Adds those visitors of the parent, and those members that left it, that reach a box.
    fn enter(&mut self, bounds: &NodeBox<D>, parents: std::ops::Range<usize>, wide: &[Record<D>]) {
        self.tally.cells(parents.len());
        self.visitors.reserve(parents.len());
        for position in parents {
            let visitor = self.visitors[position];
            if self.contact.reaches(&visitor, bounds) {
                self.visitors.push(visitor);
            }
        }
        self.come(bounds, wide, |member| *member);
    }

    /// Adds those members of another node that reach a box, as visitors.
    fn come(
        &mut self,
        bounds: &NodeBox<D>,
        members: &[Record<D>],
        visitor: impl Fn(&Record<D>) -> Record<D>,
    ) {
        self.tally.cells(members.len());
        let coming = members.iter().map(visitor);
        self.visitors.extend(coming.filter(|visitor| self.contact.reaches(visitor, bounds)));
    }

    fn test(&mut self, members: &[Record<D>], first: usize) {
        let tests = leaf::test(&self.contact, members, &self.visitors[first..], self.pairs);
        self.tally.candidates(tests);
    }
}

/// Brings the members that this is true of to the front; returns how many they are.
fn partition<const D: usize>(members: &mut [Record<D>], is_first: impl Fn(&Record<D>) -> bool) -> usize {
    let mut front = 0;
    for position in 0..members.len() {
        let first = is_first(&members[position]);
        members.swap(front, position);
        front += usize::from(first);
    }
    front
}

/// Brings the lower half of the members along an axis to the front; returns how many they are.
fn halve<const D: usize>(members: &mut [Record<D>], axis: usize, bounds: &NodeBox<D>) -> usize {
    let middle = 0.5 * bounds.low[axis] + 0.5 * bounds.high[axis];
    let lower = partition(members, |member| member.center[axis] < middle);
    let least = members.len() / UNEVEN;
    if (least..=members.len() - least).contains(&lower) && lower > 0 && lower < members.len() {
        return lower;
    }
    let half = members.len() / 2;
    let along =
        |a: &Record<D>, b: &Record<D>| a.center[axis].total_cmp(&b.center[axis]).then(a.row.cmp(&b.row));
    members.select_nth_unstable_by(half, along);
    half
}

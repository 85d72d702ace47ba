//! The table of methods: one line each.

use super::AUTO;
use super::prediction::Workload;
use super::{
    BottomUp, BroadPhase, BruteForce, HGrid, Levels, LinkedCell, Mmr, Mr, Options, RadialSort, Search, Tree,
};
use super::{brute_force, hgrid, levels, linked_cell, mmr, mr, radial_sort, tree};
use crate::Error;
use crate::dimension::of_dimension;

/// One broad phase: how it is called, what it is good for and how it is made.
pub struct SearchMethod<const D: usize> {
    /// Name by which it is made, here and on the command line.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Names of its options, each with its values.
    pub options: &'static [(&'static str, &'static str)],
    /// Whether it has periodic boundaries.
    pub periodic: bool,
    /// Nanoseconds per particle that it is expected to take.
    pub(super) expected: fn(&Workload<'_, D>) -> f64,
    build: fn(&Options<'_>) -> Result<Box<dyn BroadPhase<D>>, Error>,
}

/// The table's line for a method: its type, its module with `OPTIONS` and `build`, its price in [`Workload`], and one
/// line of help.
macro_rules! method {
    ($type:ty, $module:ident, $price:ident, $help:literal) => {
        SearchMethod {
            name: <$type as Search<D>>::NAME,
            help: $help,
            options: $module::OPTIONS,
            periodic: <$type as Search<D>>::PERIODIC,
            expected: |workload| workload.$price(),
            build: |options| checked::<D, $type>($module::build(options)?),
        }
    };
}

impl<const D: usize> SearchMethod<D> {
    /// Every method there is.
    pub fn all() -> &'static [Self] {
        of_dimension::<&'static [Self]>(&PLANE, &SPACE)
    }

    const ALL: &'static [Self] = &[
        method!(
            Levels<D>,
            levels,
            levels,
            "sorted rows at several levels, tested with vectors; for everything"
        ),
        method!(
            Tree<D>,
            tree,
            tree,
            "boxes halved again and again; for sizes and distances over many decades"
        ),
        method!(HGrid<D>, hgrid, hgrid, "grids of several cell sizes; each particle looks at smaller ones"),
        method!(HGrid<D, BottomUp>, hgrid, hgrid_bottom_up, "the same grids; each particle looks at larger ones"),
        method!(Mmr<D>, mmr, mmr, "MR once per size group, largest group first"),
        method!(Mr<D>, mr, mr, "a sorted list kept between calls; memory and time whatever the density"),
        method!(LinkedCell<D>, linked_cell, linked_cell, "one grid with a list per cell; for similar sizes"),
        method!(RadialSort<D>, radial_sort, radial_sort, "sorts by distance from a point; for few particles"),
        method!(BruteForce, brute_force, brute_force, "tests every pair; the reference"),
    ];
}

static PLANE: &[SearchMethod<2>] = SearchMethod::ALL;
static SPACE: &[SearchMethod<3>] = SearchMethod::ALL;

fn checked<const D: usize, S: Search<D> + 'static>(method: S) -> Result<Box<dyn BroadPhase<D>>, Error> {
    method.check_options()?;
    Ok(Box::new(method))
}

/// Makes a method from its name, with options after a colon: `hgrid`, `mr:sort=quick,search=binary`.
///
/// ```
/// let mut method = riprap::broad::create::<3>("linked-cell:particles-per-cell=5")?;
/// let spheres = riprap::Spheres::new(&[[0.0; 3], [1.0, 0.0, 0.0]], &[0.5, 0.5])?;
/// let mut pairs = Vec::new();
/// method.find(spheres, &riprap::Criterion::default(), &mut pairs)?;
/// assert_eq!(pairs.len(), 1);
/// # Ok::<(), riprap::Error>(())
/// ```
pub fn create<const D: usize>(specification: &str) -> Result<Box<dyn BroadPhase<D>>, Error> {
    // Without particles to look at, `auto` is what is best for nearly all.
    let specification = if specification == AUTO { <Levels<D> as Search<D>>::NAME } else { specification };
    let (name, options) = match specification.split_once(':') {
        Some((name, options)) => (name, Some(options)),
        None => (specification, None),
    };
    let method = SearchMethod::<D>::all()
        .iter()
        .find(|method| method.name == name)
        .ok_or_else(|| Error::UnknownMethod { name: name.to_string(), known: names() })?;
    (method.build)(&Options::parse(method.name, method.options, options)?)
}

/// The names of all methods, for messages.
pub fn names() -> String {
    format!("`{AUTO}`, {}", joined(|_| true))
}

/// The names of the methods with periodic boundaries, for messages.
pub fn periodic_names() -> String {
    joined(|method| method.periodic)
}

/// Why a method is refused in a periodic box.
pub(crate) fn not_periodic(method: &'static str) -> Error {
    Error::NotPeriodic { method, known: periodic_names() }
}

fn joined(keep: impl Fn(&SearchMethod<3>) -> bool) -> String {
    let names: Vec<_> = SearchMethod::<3>::all()
        .iter()
        .filter(|method| keep(method))
        .map(|method| format!("`{}`", method.name))
        .collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(specification: &str) -> String {
        create::<3>(specification).err().expect(specification).to_string()
    }

    #[test]
    fn every_method_is_made_by_its_name() {
        for method in SearchMethod::<2>::all() {
            assert!(create::<2>(method.name).is_ok(), "{}", method.name);
        }
    }

    #[test]
    fn refusals_name_the_choices() {
        assert!(refusal("mrs").contains("`mr`, `linked-cell`"));
        assert!(refusal("mr:sort=heap").contains("expected `linear` or `quick`"));
        assert!(refusal("mr:kind=heap").contains("it has `sort`"));
        assert!(refusal("brute-force:x=1").contains("it has none"));
        assert!(refusal("mmr:ratio=1").contains("above 1"));
        assert!(refusal("linked-cell:particles-per-cell=many").contains("expected a number"));
        assert!(refusal("linked-cell:particles-per-cell=0").contains("a number above 0"));
        assert!(refusal("hgrid:levels=1/two").contains("numbers separated by slashes"));
        assert!(refusal("hgrid:levels=2/1").contains("growing"));
        assert!(refusal("radial-sort:origin=1/2").contains("3 coordinates"));
    }
}

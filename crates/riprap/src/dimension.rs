//! What is compiled in this library for two and for three dimensions, chosen by a constant.
//!
//! A function that is generic over the dimension is compiled in every program, test and benchmark that calls it. Tables of what is
//! large, such as loops over contacts and search methods, are therefore made here once for either dimension, and looked up.

use std::any::Any;

/// That one of two values which has the type asked for.
///
/// # Panics
/// For dimensions other than 2 and 3.
pub(crate) fn of_dimension<T: 'static>(
    plane: &'static (dyn Any + Sync),
    space: &'static (dyn Any + Sync),
) -> &'static T {
    let found = [plane, space].into_iter().find_map(|value| (value as &dyn Any).downcast_ref());
    found.expect("two or three dimensions")
}

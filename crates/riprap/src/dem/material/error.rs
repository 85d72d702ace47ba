//! What can be wrong with materials.

use thiserror::Error as ThisError;

use super::restitution::SMALLEST;

/// What is wrong with materials, or with a pair of them.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum MaterialError {
    /// None, or too many.
    #[error("{count} materials, expected 1 to {most}")]
    Count {
        /// Number of materials given.
        count: usize,
        /// Materials at most.
        most: usize,
    },
    /// An index that no material has.
    #[error("there is no material {index}, only {known}")]
    Index {
        /// The index.
        index: u8,
        /// Number of materials.
        known: usize,
    },
    /// A value is out of range.
    #[error("material `{material}`: `{value}` is {number}, expected {expected}")]
    Value {
        /// Name of the material.
        material: String,
        /// Name of the value.
        value: &'static str,
        /// The number given.
        number: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// The law needs a value that is not given.
    #[error("material `{material}` has no `{value}`, which the `{law}` law needs")]
    Missing {
        /// Name of the material.
        material: String,
        /// Name of the value.
        value: &'static str,
        /// Name of the law.
        law: &'static str,
    },
    /// Faces meet, of which the law says nothing, and there is no stiffness for them.
    #[error(
        "material `{material}` has no `k_n`: faces of stones that meet faces or walls follow the linear law, for `{law}` says nothing \
         of them; give `k_n` to it or to the pair, or take `linear` for all contacts"
    )]
    Faces {
        /// Name of the material.
        material: String,
        /// Name of the law.
        law: &'static str,
    },
    /// The restitution of a pair is out of range.
    #[error("restitution of `{a}` and `{b}` is {restitution}, expected {SMALLEST} to 1")]
    Restitution {
        /// Name of the first material.
        a: String,
        /// Name of the second.
        b: String,
        /// Their restitution.
        restitution: f64,
    },
    /// Neither yields.
    #[error("`{a}` and `{b}` are both rigid, expected a finite stiffness of one of them")]
    BothRigid {
        /// Name of the first material.
        a: String,
        /// Name of the second.
        b: String,
    },
}

impl MaterialError {
    /// Name of the material at fault, if it is one; of two the first.
    pub fn material(&self) -> Option<&str> {
        match self {
            Self::Count { .. } | Self::Index { .. } => None,
            Self::Value { material, .. } | Self::Missing { material, .. } | Self::Faces { material, .. } => {
                Some(material)
            }
            Self::Restitution { a, .. } | Self::BothRigid { a, .. } => Some(a),
        }
    }
}

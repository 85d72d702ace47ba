//! What has left a simulation.

use crate::archive::{Damage, Rest, Section, Values};

/// How many bodies have left, and their mass.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Departed {
    /// Number of bodies.
    pub count: u64,
    /// Their mass.
    pub mass: f64,
}

/// What has left.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outflown {
    /// Through each outflow.
    pub outflows: Vec<Departed>,
    /// Beyond the domain.
    pub strayed: Departed,
}

impl Outflown {
    /// Nothing, through so many outflows.
    pub(super) fn new(outflows: usize) -> Self {
        Self { outflows: vec![Departed::default(); outflows], strayed: Departed::default() }
    }
}

impl Section for Outflown {
    const NAME: &'static str = "outflow";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        let departed = |values: &mut Values, departed: &Departed| {
            values.word(departed.count);
            values.number(departed.mass);
        };
        departed(values, &self.strayed);
        values.list(&self.outflows, departed);
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        let departed = |values: &mut Rest<'_>| Ok(Departed { count: values.word()?, mass: values.finite()? });
        Ok(Self { strayed: departed(values)?, outflows: values.list(departed)? })
    }
}

//! Known physics: experiments with the simulator whose outcome is known in closed form or from a published law.
//!
//! A [`Case`] is one experiment. It gives checks, each a number of ours beside the one that theory expects, and a chart of both. The
//! criteria stand in the code of the experiment; a verdict is worked out from them. The program's `riprap verify` and the tests run
//! the same cases:
//!
//! ```
//! use riprap::verify;
//!
//! let case = verify::find("free-fall").expect("a known case");
//! let report = verify::run(&[case], |_| {});
//! assert!(report.passed() > 0 && report.failed() == 0);
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | `apparatus` | what experiments share: materials, walls, balls, fits |
//! | `impact` | free fall and bounces, restitution, the Hertz and linear impact |
//! | `chung_ooi` | the eight benchmark impacts of Chung and Ooi (2011) |
//! | `tangential` | impacts that stick, rolling and sliding |
//! | `rolling` | rolling friction |
//! | `adhesion` | surfaces that hold each other: cycles, the speed that sticks |
//! | `gas` | momentum, angular momentum, Haff's law |
//! | `bed` | weight on the floor, stress against the force on walls |
//! | `silo` | Janssen's saturation, Beverloo's discharge |
//! | `order` | orders of convergence of the integrator and of the ledger |
//! | `report`, `page` | the verdicts as a table, JSON and a page |
//!
//! To add a case, write the experiment into the file of its family and add a line to [`CASES`].

mod adhesion;
mod apparatus;
mod bed;
mod check;
mod chung_ooi;
mod gas;
mod impact;
mod order;
mod page;
mod report;
mod rolling;
mod silo;
mod tangential;

pub use check::{CaseError, Check, Figure, Findings, Measure};
pub use report::{Outcome, Report, run};

/// One experiment.
pub struct Case {
    /// Name on the command line.
    pub name: &'static str,
    /// What it shows, in one line.
    pub title: &'static str,
    /// Where the expected numbers come from.
    pub source: &'static str,
    /// Whether it takes so long that it is left out unless asked for.
    pub long: bool,
    /// Does the experiment.
    pub experiment: fn() -> Result<Findings, CaseError>,
}

/// All cases, in the order in which they are reported.
pub const CASES: &[Case] = &[
    Case {
        name: "free-fall",
        title: "a ball falls and bounces",
        source: "Galilei; Newton's restitution",
        long: false,
        experiment: impact::free_fall,
    },
    Case {
        name: "restitution",
        title: "restitution comes out as asked, linear and Hertz",
        source: "Schwager and Pöschel 2007; Antypov and Elliott 2011",
        long: false,
        experiment: impact::restitution,
    },
    Case {
        name: "linear-impact",
        title: "an elastic impact with linear springs",
        source: "harmonic oscillator, Cundall and Strack 1979",
        long: false,
        experiment: impact::linear,
    },
    Case {
        name: "chung-ooi-1",
        title: "test 1: elastic normal impact of two equal spheres",
        source: "Chung and Ooi 2011; Hertz 1882",
        long: false,
        experiment: chung_ooi::two_spheres,
    },
    Case {
        name: "chung-ooi-2",
        title: "test 2: elastic normal impact of a sphere with a rigid plane",
        source: "Chung and Ooi 2011; Hertz 1882",
        long: false,
        experiment: chung_ooi::rigid_plane,
    },
    Case {
        name: "chung-ooi-3",
        title: "test 3: normal impact with different restitution",
        source: "Chung and Ooi 2011",
        long: false,
        experiment: chung_ooi::restitution,
    },
    Case {
        name: "chung-ooi-4",
        title: "test 4: oblique impact, constant speed, different angles",
        source: "Chung and Ooi 2011; Coulomb",
        long: false,
        experiment: chung_ooi::angles,
    },
    Case {
        name: "chung-ooi-5",
        title: "test 5: oblique impact, constant normal velocity, different tangential ones",
        source: "Chung and Ooi 2011; Coulomb",
        long: false,
        experiment: chung_ooi::tangential_velocities,
    },
    Case {
        name: "chung-ooi-6",
        title: "test 6: impact of a spinning sphere with a rigid plane",
        source: "Chung and Ooi 2011; Coulomb",
        long: false,
        experiment: chung_ooi::spinning_on_plane,
    },
    Case {
        name: "chung-ooi-7",
        title: "test 7: impact of two equal spinning spheres",
        source: "Chung and Ooi 2011; Coulomb",
        long: false,
        experiment: chung_ooi::spinning_equal,
    },
    Case {
        name: "chung-ooi-8",
        title: "test 8: impact of a spinning sphere with a large and heavy one",
        source: "Chung and Ooi 2011; Coulomb",
        long: false,
        experiment: chung_ooi::spinning_unequal,
    },
    Case {
        name: "sticking-impact",
        title: "an impact without slip: the tangential spring swings once",
        source: "Schäfer, Dippel and Wolf 1996",
        long: false,
        experiment: tangential::sticking_impact,
    },
    Case {
        name: "slip-to-roll",
        title: "a sliding ball, or disk, ends up rolling",
        source: "Coulomb; Euler",
        long: false,
        experiment: tangential::slip_to_roll,
    },
    Case {
        name: "incline",
        title: "a ball rolls down an incline, or slides where it is steep",
        source: "Coulomb; Euler",
        long: false,
        experiment: tangential::incline,
    },
    Case {
        name: "rolling-rest",
        title: "rolling friction above the slope: the ball stands still",
        source: "Iwashita and Oda 1998; Ai, Chen, Rotter and Ooi 2011",
        long: false,
        experiment: rolling::stands_still,
    },
    Case {
        name: "rolling-slope",
        title: "rolling friction below the slope: the ball rolls more slowly",
        source: "Ai, Chen, Rotter and Ooi 2011",
        long: false,
        experiment: rolling::rolls_down,
    },
    Case {
        name: "rolling-decay",
        title: "rolling friction stops a rolling ball",
        source: "Ai, Chen, Rotter and Ooi 2011",
        long: false,
        experiment: rolling::decay,
    },
    Case {
        name: "jkr-cycle",
        title: "elastic spheres that stick leap together and apart",
        source: "Johnson, Kendall and Roberts 1971; Thornton and Ning 1998",
        long: false,
        experiment: adhesion::jkr,
    },
    Case {
        name: "dmt-cycle",
        title: "hard spheres that stick hold while they touch, at no cost",
        source: "Derjaguin, Muller and Toporov 1975",
        long: false,
        experiment: adhesion::dmt,
    },
    Case {
        name: "dmt-impact",
        title: "hard spheres that stick come away as fast as they came",
        source: "Derjaguin, Muller and Toporov 1975",
        long: false,
        experiment: adhesion::dmt_impact,
    },
    Case {
        name: "bridge-cycle",
        title: "a liquid bridge forms at touch and breaks at its length",
        source: "Rabinovich, Esayanur and Moudgil 2005; Lian, Thornton and Adams 1993",
        long: false,
        experiment: adhesion::bridge,
    },
    Case {
        name: "sticking",
        title: "a ball sticks up to the speed whose energy a cycle loses",
        source: "Thornton and Ning 1998; conservation of energy",
        long: false,
        experiment: adhesion::sticking,
    },
    Case {
        name: "momentum",
        title: "a gas keeps its momentum and angular momentum",
        source: "Newton's third law",
        long: false,
        experiment: gas::momentum,
    },
    Case {
        name: "haff",
        title: "a gas of disks cools as Haff's law says",
        source: "Haff 1983; Enskog's collision rate",
        long: false,
        experiment: gas::cooling_disks,
    },
    Case {
        name: "haff-spheres",
        title: "a gas of spheres cools as Haff's law says",
        source: "Haff 1983; Enskog's collision rate",
        long: true,
        experiment: gas::cooling_spheres,
    },
    Case {
        name: "weight",
        title: "a bed at rest presses on the floor with its weight",
        source: "equilibrium; virial of gravity",
        long: false,
        experiment: bed::weight,
    },
    Case {
        name: "stress",
        title: "the stress of a pressed bed is the force on its walls",
        source: "Love 1927; Weber 1966",
        long: false,
        experiment: bed::stress_and_wall_force,
    },
    Case {
        name: "integrator-order",
        title: "the error of the motion falls with the square of the step",
        source: "Verlet 1967; damped harmonic oscillator",
        long: false,
        experiment: order::integrator,
    },
    Case {
        name: "ledger-order",
        title: "the imbalance of the energy ledger falls with the square of the step",
        source: "conservation of energy",
        long: false,
        experiment: order::ledger,
    },
    Case {
        name: "janssen",
        title: "walls carry the weight of a tall column of disks",
        source: "Janssen 1895",
        long: false,
        experiment: silo::janssen_disks,
    },
    Case {
        name: "janssen-spheres",
        title: "walls carry the weight of a tall column of spheres",
        source: "Janssen 1895",
        long: true,
        experiment: silo::janssen_spheres,
    },
    Case {
        name: "beverloo",
        title: "the discharge of a silo grows with the orifice to the power 5/2",
        source: "Beverloo, Leniger and van de Velde 1961",
        long: true,
        experiment: silo::beverloo,
    },
];

/// The case of this name.
pub fn find(name: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.name == name)
}

//! riprap: any of its methods, as a user would call it.

use riprap::inside::{Inside, InsideMethod, Place};
use riprap::mesh::Mesh;

use crate::files::Input;
use crate::{Answer, Peer};

/// Methods that find winding numbers; others could only count.
const WINDINGS: &[&str] = &["multipole", "double-layer"];

pub(crate) struct Riprap {
    method: InsideMethod,
}

impl Riprap {
    pub(crate) fn new(name: &str) -> Self {
        let Some(method) = InsideMethod::from_name(name) else {
            eprintln!("error: no method `{name}`");
            std::process::exit(1);
        };
        Self { method }
    }
}

impl Peer for Riprap {
    type Mesh = Mesh;
    type Prepared = Inside;
    type Found = Vec<Place>;

    fn mesh(&self, input: &Input) -> Mesh {
        Mesh::new(input.vertices.clone(), input.triangles.clone()).expect("a mesh")
    }

    /// Checks that the mesh is closed, too.
    fn set_up(&self, mesh: Mesh) -> Inside {
        Inside::new(&mesh, self.method).expect("a closed mesh")
    }

    fn query(&self, inside: &Inside, points: &[[f64; 3]], found: &mut Vec<Place>) {
        inside.classify(points, 1, found).expect("points");
    }

    fn answers(found: &Vec<Place>) -> Vec<Answer> {
        let answer = |place: &Place| match place {
            Place::Outside => Answer::Outside,
            Place::Boundary => Answer::Boundary,
            Place::Inside => Answer::Inside,
        };
        found.iter().map(answer).collect()
    }

    fn windings(&self, inside: &Inside, points: &[[f64; 3]]) -> Option<Vec<f64>> {
        let mut windings = Vec::new();
        let found =
            WINDINGS.contains(&self.method.name()) && inside.windings(points, 1, &mut windings).is_ok();
        found.then_some(windings)
    }
}

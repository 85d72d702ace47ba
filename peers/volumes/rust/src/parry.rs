//! parry: the nearest point of the surface, and on which side of the pseudo-normal there the point is.

use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};

use crate::files::Input;
use crate::{Answer, Peer};

pub(crate) struct Parry;

impl Peer for Parry {
    type Mesh = (Vec<Vector>, Vec<[u32; 3]>);
    type Prepared = TriMesh;
    type Found = Vec<bool>;

    fn mesh(&self, input: &Input) -> Self::Mesh {
        let vertices = input.vertices.iter().map(|&vertex| Vector::from_array(vertex)).collect();
        (vertices, input.triangles.clone())
    }

    fn set_up(&self, (vertices, triangles): Self::Mesh) -> TriMesh {
        TriMesh::with_flags(vertices, triangles, TriMeshFlags::ORIENTED).expect("a mesh")
    }

    fn query(&self, mesh: &TriMesh, points: &[[f64; 3]], found: &mut Vec<bool>) {
        found.clear();
        found.extend(points.iter().map(|&point| mesh.contains_local_point(Vector::from_array(point))));
    }

    fn answers(found: &Vec<bool>) -> Vec<Answer> {
        found.iter().map(|&inside| if inside { Answer::Inside } else { Answer::Outside }).collect()
    }
}

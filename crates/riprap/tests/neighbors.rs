//! The list of neighbours never misses a contact while particles move, and is rebuilt no more than it must.

mod common;

use common::{compare, oracle};
use riprap::broad::{Levels, Neighbors, create};
use riprap::{Criterion, Random, SphereColumns, packing};

fn moving<const D: usize>(criterion: Criterion<D>, skin: Option<f64>, speed: f64) -> u64 {
    let mut random = Random::new(8);
    let radii = packing::power_law_radii(300, -3.0, 0.1, 5.0, &mut random);
    let mut spheres = packing::scattered::<D>(radii, [8.0; D], &mut random);
    let mut neighbors = Neighbors::<D>::new(Box::new(Levels::default()));
    neighbors.skin = skin;
    let mut touching = Vec::new();
    for step in 0..300 {
        for x in spheres.centers.iter_mut().flatten() {
            *x += random.uniform(-speed, speed);
        }
        match step % 50 {
            // A jump, a growth, a shrinking, an insertion and a removal: each must be noticed.
            10 => spheres.centers[step] = [4.0; D],
            20 => spheres.radii[step] *= 1.5,
            25 => spheres.radii[step] *= 0.9,
            30 => spheres.push([4.0; D], 0.3),
            40 => {
                spheres.centers.swap_remove(step % 7);
                spheres.radii.swap_remove(step % 7);
            }
            _ => {}
        }
        let view = spheres.view().unwrap();
        // Sometimes only the list is kept.
        if step % 3 == 0 {
            neighbors.update(view, &criterion).unwrap();
            continue;
        }
        neighbors.touching(view, &criterion, &mut touching).unwrap();
        let truth = oracle(&spheres, criterion.margin, criterion.lengths);
        if let Err(difference) = compare(&touching, &truth) {
            panic!("step {step}, skin {}: {difference:?}", neighbors.current_skin());
        }
        assert!(neighbors.pairs().len() >= touching.len());
    }
    assert_eq!(neighbors.updates(), 300);
    neighbors.rebuilds()
}

#[test]
fn no_contact_is_missed_while_particles_move() {
    let open = Criterion::default();
    assert!(moving::<2>(open, None, 0.002) < 100);
    assert!(moving::<3>(Criterion { margin: 0.05, lengths: [f64::INFINITY; 3] }, None, 0.002) < 100);
    assert!(
        moving::<3>(Criterion { margin: 0.0, lengths: [8.0, 9.0, f64::INFINITY] }, Some(0.1), 0.002) < 100
    );
    assert!(moving::<2>(Criterion { margin: 0.0, lengths: [8.0; 2] }, Some(0.01), 0.1) > 290);
    assert_eq!(moving::<2>(Criterion::default(), Some(0.0), 0.002), 300);
}

/// Particles on both sides of the border, wrapped by their owner: no displacement, no rebuild.
#[test]
fn wrapping_a_particle_is_not_a_move() {
    let criterion = Criterion { margin: 0.0, lengths: [10.0; 2] };
    let mut spheres = SphereColumns { centers: vec![[9.999, 1.0], [0.5, 1.0]], radii: vec![0.5, 0.5] };
    let mut neighbors = Neighbors::<2>::new(create("levels").unwrap());
    assert_eq!(neighbors.update(spheres.view().unwrap(), &criterion), Ok(true));
    spheres.centers[0] = [0.0, 1.0];
    let mut touching = Vec::new();
    assert_eq!(neighbors.touching(spheres.view().unwrap(), &criterion, &mut touching), Ok(false));
    assert_eq!(touching.len(), 1);
}

/// Slower particles get a narrower skin for the same number of steps, and still rarer rebuilds.
#[test]
fn the_skin_follows_the_speed() {
    let skins: Vec<(f64, u64)> = [0.0005, 0.005, 0.02]
        .map(|speed| {
            let mut spheres = packing::lattice([20, 20], [1.0; 2], 0.5);
            let mut neighbors = Neighbors::<2>::new(Box::new(Levels::default()));
            for _ in 0..400 {
                for (row, center) in spheres.centers.iter_mut().enumerate() {
                    center[0] += if row % 2 == 0 { speed } else { -speed };
                }
                neighbors.update(spheres.view().unwrap(), &Criterion::default()).unwrap();
            }
            (neighbors.current_skin(), neighbors.rebuilds())
        })
        .to_vec();
    assert!(skins.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "{skins:?}");
}

/// A box that is only just wide enough leaves no room for a skin, but is wide enough.
#[test]
fn a_narrow_box_gets_a_narrow_skin() {
    let spheres = packing::lattice([2, 2], [1.0; 2], 0.5);
    let mut neighbors = Neighbors::<2>::new(Box::new(Levels::default()));
    for edge in [2.0, 2.01] {
        let criterion = Criterion { margin: 0.0, lengths: [edge; 2] };
        assert_eq!(neighbors.update(spheres.view().unwrap(), &criterion), Ok(true));
        assert!(neighbors.current_skin() <= 0.5 * (edge - 2.0));
    }
}

/// A refused update leaves no list that looks good.
#[test]
fn an_error_is_not_forgotten() {
    let spheres = packing::lattice([4, 4], [1.0; 2], 0.5);
    let mut neighbors = Neighbors::<2>::new(Box::new(Levels::default()));
    let narrow = Criterion { margin: 0.0, lengths: [1.5; 2] };
    assert!(neighbors.update(spheres.view().unwrap(), &narrow).is_err());
    assert_eq!(neighbors.update(spheres.view().unwrap(), &Criterion::default()), Ok(true));
}

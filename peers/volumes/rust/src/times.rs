//! How long a peer takes.

use std::time::Instant;

use crate::files::Input;
use crate::{Answer, Peer};

/// Most repetitions, each with a set-up of its own.
const REPEAT: usize = 30;
/// Points that tell how long all will take.
const PROBE: usize = 500;

/// In seconds, the best of all repetitions.
pub(crate) struct Times {
    pub(crate) set_up: f64,
    /// Per point, when all are asked a second time.
    pub(crate) query: f64,
    /// Set-up and the first time that all points are asked.
    pub(crate) total: f64,
    /// Points that were asked; not all if that would take too long.
    pub(crate) asked: usize,
}

pub(crate) struct Measured {
    pub(crate) times: Times,
    pub(crate) answers: Vec<Answer>,
    /// With the seconds per point that they take; not a number for points that were not asked.
    pub(crate) windings: Option<(Vec<f64>, f64)>,
}

/// Repeats set-up and queries for so many seconds, or once if that takes longer. If it takes much longer, only some of the points
/// are asked, evenly spread over all, and the times are those of all.
pub(crate) fn measure<P: Peer>(peer: &P, input: &Input, points: &[[f64; 3]], seconds: f64) -> Measured {
    let prepared = peer.set_up(peer.mesh(input));
    // All are asked twice.
    let stride = match stride(peer, &prepared, points, 0.5 * seconds) {
        ..=5 => 1,
        stride => stride,
    };
    let some: Vec<_> = points.iter().step_by(stride).copied().collect();
    let windings = peer.windings(&prepared, &some).map(|windings| {
        let (_, spent) = time(|| peer.windings(&prepared, &some));
        (spread(windings, stride, points.len(), f64::NAN), spent / some.len() as f64)
    });
    drop(prepared);
    let mut times =
        Times { set_up: f64::INFINITY, query: f64::INFINITY, total: f64::INFINITY, asked: some.len() };
    let mut found = P::Found::default();
    let started = Instant::now();
    for _ in 0..REPEAT {
        let mesh = peer.mesh(input);
        let (prepared, set_up) = time(|| peer.set_up(mesh));
        let ((), first) = time(|| peer.query(&prepared, &some, &mut found));
        let ((), second) = time(|| peer.query(&prepared, &some, &mut found));
        times.set_up = times.set_up.min(set_up);
        times.total = times.total.min(set_up + first * points.len() as f64 / some.len() as f64);
        times.query = times.query.min(second / some.len() as f64);
        if started.elapsed().as_secs_f64() > seconds {
            break;
        }
    }
    let answers = spread(P::answers(&found), stride, points.len(), Answer::NotAsked);
    Measured { times, answers, windings }
}

/// The answers to as many points as can be asked in so many seconds, evenly spread over all.
pub(crate) fn reference<P: Peer>(peer: &P, input: &Input, points: &[[f64; 3]], seconds: f64) -> Vec<Answer> {
    let prepared = peer.set_up(peer.mesh(input));
    let stride = stride(peer, &prepared, points, seconds);
    let some: Vec<_> = points.iter().step_by(stride).copied().collect();
    let mut found = P::Found::default();
    peer.query(&prepared, &some, &mut found);
    spread(P::answers(&found), stride, points.len(), Answer::NotAsked)
}

/// Every how many points can be asked in so many seconds.
fn stride<P: Peer>(peer: &P, prepared: &P::Prepared, points: &[[f64; 3]], seconds: f64) -> usize {
    let probe: Vec<_> = points.iter().step_by(points.len().div_ceil(PROBE)).copied().collect();
    let ((), spent) = time(|| peer.query(prepared, &probe, &mut P::Found::default()));
    let all = spent * points.len() as f64 / probe.len() as f64;
    ((all / seconds).ceil() as usize).max(1)
}

/// What some points have, at their places among all.
fn spread<T: Clone>(values: Vec<T>, stride: usize, count: usize, none: T) -> Vec<T> {
    let mut all = vec![none; count];
    for (place, value) in all.iter_mut().step_by(stride).zip(values) {
        *place = value;
    }
    all
}

fn time<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

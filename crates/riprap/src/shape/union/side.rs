//! Sides of regions in the plane: lines and arcs that a horizontal line meets once.

/// The left or the right side of a convex region, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    /// Which region it belongs to.
    pub(super) region: u32,
    /// Whether the region is to the right of it.
    pub(super) is_left: bool,
    /// Its extent in y.
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) course: Course,
}

/// Where a side runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Course {
    /// From one point up to another.
    Line { from: [f64; 2], to: [f64; 2] },
    /// The half of a circle to the left or to the right of its centre.
    Arc { center: [f64; 2], radius: f64 },
}

/// Nodes of Gauss's rule of two points, exact for cubics, in parts of the interval.
const NODES: [f64; 2] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9];

impl Side {
    /// The side from one point to the next of an outline that is passed counter-clockwise; none if it is horizontal.
    pub(super) fn between(region: u32, from: [f64; 2], to: [f64; 2]) -> Option<Self> {
        let is_left = to[1] < from[1];
        let (from, to) = if is_left { (to, from) } else { (from, to) };
        let side = Self { region, is_left, low: from[1], high: to[1], course: Course::Line { from, to } };
        (from[1] < to[1]).then_some(side)
    }

    /// The two sides of a disk.
    pub(super) fn of_disk(region: u32, center: [f64; 2], radius: f64) -> [Self; 2] {
        let (low, high) = (center[1] - radius, center[1] + radius);
        [true, false].map(|is_left| Self {
            region,
            is_left,
            low,
            high,
            course: Course::Arc { center, radius },
        })
    }

    fn sign(&self) -> f64 {
        if self.is_left { -1.0 } else { 1.0 }
    }

    /// Where it is at height `y`.
    pub(super) fn at(&self, y: f64) -> f64 {
        match self.course {
            Course::Line { from, to } => {
                from[0] + (to[0] - from[0]) * ((y - from[1]) / (to[1] - from[1])).clamp(0.0, 1.0)
            }
            Course::Arc { center, radius } => center[0] + self.sign() * half_width(radius, y - center[1]),
        }
    }

    /// Its extent in x.
    fn width(&self) -> [f64; 2] {
        match self.course {
            Course::Line { from, to } => [from[0].min(to[0]), from[0].max(to[0])],
            Course::Arc { center: [x, _], radius } if self.is_left => [x - radius, x],
            Course::Arc { center: [x, _], radius } => [x, x + radius],
        }
    }

    /// Adds the points that it shares with another side, and points where circles that do not quite touch are closest: rounding may
    /// let them touch, and then no slab must have that point in its middle. Some others do no harm.
    pub(super) fn crossings(&self, other: &Self, points: &mut Vec<[f64; 2]>) {
        let ([left, right], [other_left, other_right]) = (self.width(), other.width());
        let beside =
            right < other_left || other_right < left || self.high < other.low || other.high < self.low;
        if self.region == other.region || beside {
            return;
        }
        match (self.course, other.course) {
            (Course::Line { from, to }, Course::Line { from: other_from, to: other_to }) => {
                let [along, other_along] =
                    [[to, from], [other_to, other_from]].map(|[to, from]| [to[0] - from[0], to[1] - from[1]]);
                let between = [other_from[0] - from[0], other_from[1] - from[1]];
                let part = turn(between, other_along) / turn(along, other_along);
                if part > 0.0 && part < 1.0 {
                    points.push([from[0] + part * along[0], from[1] + part * along[1]]);
                }
            }
            (Course::Line { from, to }, Course::Arc { center, radius })
            | (Course::Arc { center, radius }, Course::Line { from, to }) => {
                let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
                let size = (dx * dx + dy * dy).sqrt();
                let (dx, dy) = (dx / size, dy / size);
                let arm = [center[0] - from[0], center[1] - from[1]];
                let (along, beside) = (arm[0] * dx + arm[1] * dy, turn([dx, dy], arm));
                let half = half_width(radius, beside);
                for part in [along - half, along + half] {
                    points.push([from[0] + part * dx, from[1] + part * dy]);
                }
            }
            (Course::Arc { center, radius }, Course::Arc { center: other_center, radius: other_radius }) => {
                points.extend(circles(center, radius, other_center, other_radius).into_iter().flatten());
            }
        }
    }

    /// The integrals over what is left of it between two heights, down to x = 0: of 1, x, y, xx, xy, yy.
    pub(super) fn integrals(&self, low: f64, high: f64) -> [f64; 6] {
        match self.course {
            Course::Line { .. } => {
                let mut sums = [0.0; 6];
                for node in NODES {
                    let y = low + node * (high - low);
                    let x = self.at(y);
                    let values = [x, x * x / 2.0, x * y, x * x * x / 3.0, x * x * y / 2.0, x * y * y];
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += 0.5 * (high - low) * value;
                    }
                }
                sums
            }
            Course::Arc { center: [x, y], radius } => {
                let [upper, lower] = [high, low].map(|end| Powers::up_to(radius, end - y));
                let p = upper.less(&lower);
                let s = self.sign();
                // With x + s w for the side and y + u for the height, w w = r r - u u.
                let squares = radius * radius * p.one - p.u2;
                let squares_u = radius * radius * p.u - p.u3;
                let of_x = x * p.one + s * p.w;
                let of_x2 = x * x * p.one + 2.0 * s * x * p.w + squares;
                let of_x3 = x * x * x * p.one + 3.0 * s * x * x * p.w + 3.0 * x * squares + s * p.w3;
                let of_xu = x * p.u + s * p.wu;
                let of_x2u = x * x * p.u + 2.0 * s * x * p.wu + squares_u;
                let of_xu2 = x * p.u2 + s * p.wu2;
                [
                    of_x,
                    of_x2 / 2.0,
                    of_xu + y * of_x,
                    of_x3 / 3.0,
                    (of_x2u + y * of_x2) / 2.0,
                    of_xu2 + 2.0 * y * of_xu + y * y * of_x,
                ]
            }
        }
    }
}

/// Integrals over u, from the height of a centre on, where w is the half width of the disk.
struct Powers {
    one: f64,
    u: f64,
    u2: f64,
    u3: f64,
    w: f64,
    wu: f64,
    wu2: f64,
    w3: f64,
}

impl Powers {
    fn up_to(radius: f64, u: f64) -> Self {
        let u = u.clamp(-radius, radius);
        let w = half_width(radius, u);
        let angle = libm::atan2(u, w);
        let (r2, product) = (radius * radius, u * w);
        let twisted = product * (r2 - 2.0 * u * u);
        Self {
            one: u,
            u: u * u / 2.0,
            u2: u * u * u / 3.0,
            u3: u * u * u * u / 4.0,
            w: (r2 * angle + product) / 2.0,
            wu: -w * w * w / 3.0,
            wu2: (r2 * r2 * angle - twisted) / 8.0,
            w3: (3.0 * r2 * r2 * angle + 4.0 * r2 * product + twisted) / 8.0,
        }
    }

    fn less(&self, other: &Self) -> Self {
        Self {
            one: self.one - other.one,
            u: self.u - other.u,
            u2: self.u2 - other.u2,
            u3: self.u3 - other.u3,
            w: self.w - other.w,
            wu: self.wu - other.wu,
            wu2: self.wu2 - other.wu2,
            w3: self.w3 - other.w3,
        }
    }
}

fn half_width(radius: f64, height: f64) -> f64 {
    ((radius - height) * (radius + height)).max(0.0).sqrt()
}

fn turn(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The two points that circles share; of circles apart, a point between them.
fn circles(a: [f64; 2], radius: f64, b: [f64; 2], other: f64) -> Option<[[f64; 2]; 2]> {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let distance = (dx * dx + dy * dy).sqrt();
    let (dx, dy) = (dx / distance, dy / distance);
    let along = 0.5 * (distance + (radius - other) * (radius + other) / distance);
    let half = half_width(radius, along);
    (distance > 0.0)
        .then(|| [1.0, -1.0].map(|s| [a[0] + along * dx - s * half * dy, a[1] + along * dy + s * half * dx]))
}

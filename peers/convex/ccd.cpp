// libccd: GJK and EPA, or MPR, for bodies that overlap. It knows no distance of bodies that do not.
//
// usage: ccd epa|mpr MODE FILE REPEAT OUT; see harness.hpp.

#include <ccd/ccd.h>

#include "harness.hpp"

namespace {

// libccd has no shapes and no poses; this is what its callbacks are given.
struct Body {
    const std::vector<Vector>* vertices;
    double rotation[3][3];
    Vector center;
};

// Where the next query starts.
ccd_vec3_t first;

void first_direction(const void*, const void*, ccd_vec3_t* direction) { *direction = first; }

void center(const void* object, ccd_vec3_t* point) {
    const Vector& center = static_cast<const Body*>(object)->center;
    ccdVec3Set(point, center[0], center[1], center[2]);
}

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const Body& body = *static_cast<const Body*>(object);
    Vector local{};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) local[k] += body.rotation[i][k] * direction->v[i];
    }
    const Vector* best = nullptr;
    double farthest = -std::numeric_limits<double>::infinity();
    for (const Vector& vertex : *body.vertices) {
        const double far = vertex[0] * local[0] + vertex[1] * local[1] + vertex[2] * local[2];
        if (far > farthest) {
            farthest = far;
            best = &vertex;
        }
    }
    for (int i = 0; i < 3; i++) {
        point->v[i] = body.center[i];
        for (int k = 0; k < 3; k++) point->v[i] += body.rotation[i][k] * (*best)[k];
    }
}

struct Ccd {
    // The last normal.
    struct Memory {
        bool known = false;
        ccd_vec3_t normal;
    };

    decltype(&ccdGJKPenetration) penetration;
    ccd_t settings;
    std::size_t pairs;
    std::vector<std::array<Body, 2>> bodies;

    Ccd(const Cases& cases, decltype(penetration) penetration) : penetration(penetration), pairs(cases.pairs) {
        CCD_INIT(&settings);
        settings.first_dir = first_direction;
        settings.support1 = settings.support2 = support;
        settings.center1 = settings.center2 = center;
        // Unlimited by default.
        settings.max_iterations = 1000;
        // Of a square: depths are good to its root. With less, EPA does not end for some cubes.
        settings.epa_tolerance = 1e-13;
        settings.mpr_tolerance = 1e-9;
        for (std::size_t k = 0; k < cases.poses.size(); k++) {
            auto& both = bodies.emplace_back();
            for (int side = 0; side < 2; side++) {
                const Pose& pose = cases.poses[k][side];
                const auto [w, x, y, z] = pose.quaternion;
                both[side] = {
                    &cases.shapes[cases.chosen[k % pairs][side]],
                    {
                        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
                    },
                    pose.center,
                };
            }
        }
    }

    Contact query(std::size_t step, std::size_t pair, Memory& memory) {
        const auto& [a, b] = bodies[step * pairs + pair];
        if (memory.known) {
            first = memory.normal;
        } else {
            ccdVec3Set(&first, b.center[0] - a.center[0], b.center[1] - a.center[1], b.center[2] - a.center[2]);
        }
        Contact contact;
        double depth;
        ccd_vec3_t normal, middle;
        memory.known = !penetration(&a, &b, &settings, &depth, &normal, &middle);
        if (memory.known) {
            memory.normal = normal;
            contact.gap = -depth;
            for (int k = 0; k < 3; k++) {
                contact.normal[k] = normal.v[k];
                contact.points[0][k] = middle.v[k] + depth / 2 * normal.v[k];
                contact.points[1][k] = middle.v[k] - depth / 2 * normal.v[k];
            }
        }
        return contact;
    }
};

}  // namespace

int main(int, char** arguments) {
    const Cases cases = read(arguments[3]);
    const bool epa = !std::strcmp(arguments[1], "epa");
    return run(Ccd(cases, epa ? ccdGJKPenetration : ccdMPRPenetration), cases, arguments + 2);
}

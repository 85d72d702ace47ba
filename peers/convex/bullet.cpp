// Bullet: GJK as its headers have it, and EPA as its library has it where the bodies overlap.
//
// usage: bullet MODE FILE REPEAT OUT; see harness.hpp.
//
// Of its solvers, this combination is the fastest that is accurate. btGjkPairDetector does GJK twice and starts from
// nothing each time, whatever it is told. The distance of btGjkEpaSolver2 is wrong by a percent for some pairs; its
// depth hardly ever is. EPA in the headers stops at 1e-4 with doubles too.

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btComputeGjkEpaPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include <memory>

#include "harness.hpp"

namespace {

// What the templates ask of a body.
struct Body {
    const btConvexHullShape* shape;
    const btTransform* pose;

    const btTransform& getWorldTransform() const { return *pose; }
    btScalar getMargin() const { return 0; }
    btVector3 getLocalSupportWithMargin(const btVector3& direction) const {
        return getLocalSupportWithoutMargin(direction);
    }
    // The shape's own can not be inlined.
    btVector3 getLocalSupportWithoutMargin(const btVector3& direction) const {
        const btVector3* const points = shape->getUnscaledPoints();
        const int count = shape->getNumPoints();
        int best = 0;
        btScalar farthest = -BT_LARGE_FLOAT;
        for (int k = 0; k < count; k++) {
            const btScalar far = points[k].dot(direction);
            if (far > farthest) {
                farthest = far;
                best = k;
            }
        }
        return points[best];
    }
};

// EPA; the guess, from the first body to the second, and the normal found are in the frame of the first.
bool penetration(const Body& a, const Body& b, const btVector3& guess, btGjkEpaSolver2::sResults& found) {
    return btGjkEpaSolver2::Penetration(a.shape, *a.pose, b.shape, *b.pose, guess, found, false);
}

// Called by btComputeGjkEpaPenetration in place of Bullet's own, as it fits the arguments better.
bool btGjkEpaCalcPenDepth(const Body& a, const Body& b, const btGjkCollisionDescription&, btVector3& axis,
                          btVector3& point_a, btVector3& point_b) {
    const btVector3 guess = (b.pose->getOrigin() - a.pose->getOrigin()) * a.pose->getBasis();
    btGjkEpaSolver2::sResults found;
    const bool inside = penetration(a, b, guess, found);
    if (!inside && !btGjkEpaSolver2::Distance(a.shape, *a.pose, b.shape, *b.pose, guess, found)) return false;
    axis = a.pose->getBasis() * found.normal;
    point_a = found.witnesses[0];
    point_b = found.witnesses[1];
    return inside;
}

// What the templates fill.
struct Found {
    btScalar m_distance;
    btVector3 m_normalBtoA, m_pointOnA, m_pointOnB;
};

Contact contact(btScalar gap, const btVector3& normal, const btVector3& p, const btVector3& q) {
    return {gap, {normal[0], normal[1], normal[2]}, {Vector{p[0], p[1], p[2]}, Vector{q[0], q[1], q[2]}}};
}

struct Bullet {
    // The last normal, from the first body to the second, and whether they overlapped.
    struct Memory {
        bool known = false, inside = false;
        btVector3 normal;
    };

    std::vector<std::unique_ptr<btConvexHullShape>> shapes;
    std::vector<std::array<std::size_t, 2>> chosen;
    std::vector<std::array<btTransform, 2>> poses;
    btVoronoiSimplexSolver simplex;
    btGjkCollisionDescription description;

    explicit Bullet(const Cases& cases) : chosen(cases.chosen) {
        for (const auto& vertices : cases.shapes) {
            auto& shape = shapes.emplace_back(std::make_unique<btConvexHullShape>());
            for (const auto& [x, y, z] : vertices) shape->addPoint({x, y, z}, false);
            shape->recalcLocalAabb();
            shape->setMargin(0);
        }
        for (const auto& both : cases.poses) {
            auto& transforms = poses.emplace_back();
            for (int side = 0; side < 2; side++) {
                const auto [w, x, y, z] = both[side].quaternion;
                const auto [cx, cy, cz] = both[side].center;
                transforms[side] = btTransform(btQuaternion(x, y, z, w), btVector3(cx, cy, cz));
            }
        }
        // Of the square of the distance.
        description.m_gjkRelError2 = 1e-14;
    }

    Contact query(std::size_t step, std::size_t pair, Memory& memory) {
        const auto& transforms = poses[step * chosen.size() + pair];
        const Body a{shapes[chosen[pair][0]].get(), &transforms[0]};
        const Body b{shapes[chosen[pair][1]].get(), &transforms[1]};
        if (memory.inside) {
            // They may still overlap, then one GJK less is needed.
            btGjkEpaSolver2::sResults found;
            memory.inside = penetration(a, b, memory.normal * a.pose->getBasis(), found);
            if (memory.inside) {
                memory.normal = -(a.pose->getBasis() * found.normal);
                return contact(found.distance, memory.normal, found.witnesses[0], found.witnesses[1]);
            }
        }
        description.m_firstDir = memory.known ? -memory.normal : a.pose->getOrigin() - b.pose->getOrigin();
        Found found;
        memory.known = !btComputeGjkEpaPenetration(a, b, description, simplex, &found);
        if (!memory.known) return {};
        memory.inside = found.m_distance < 0;
        memory.normal = -found.m_normalBtoA;
        return contact(found.m_distance, memory.normal, found.m_pointOnA, found.m_pointOnB);
    }
};

}  // namespace

int main(int, char** arguments) {
    const Cases cases = read(arguments[2]);
    return run(Bullet(cases), cases, arguments + 1);
}

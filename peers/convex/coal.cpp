// Coal: GJK, and EPA where the bodies overlap, in one call.
//
// usage: coal MODE FILE REPEAT OUT; see harness.hpp.

#include <coal/distance.h>
#include <coal/shape/geometric_shapes.h>

#include <memory>

#include "harness.hpp"

namespace {

struct Coal {
    // Where GJK ended, and the vertices at which the walks along edges did.
    struct Memory {
        bool known = false;
        coal::Vec3s guess;
        coal::support_func_guess_t vertices;
    };

    std::vector<std::unique_ptr<coal::ConvexBase>> shapes;
    std::vector<std::array<std::size_t, 2>> chosen;
    std::vector<std::array<coal::Transform3s, 2>> poses;
    // One for each two shapes; it keeps the memory of EPA.
    std::vector<coal::ComputeDistance> queries;
    coal::DistanceRequest request;
    coal::DistanceResult result;

    explicit Coal(const Cases& cases) : chosen(cases.chosen) {
        for (const auto& vertices : cases.shapes) {
            auto points = std::make_shared<std::vector<coal::Vec3s>>();
            for (const auto& [x, y, z] : vertices) points->emplace_back(x, y, z);
            shapes.emplace_back(coal::ConvexBase::convexHull(points, points->size(), true));
            shapes.back()->computeLocalAABB();
        }
        for (const auto& a : shapes) {
            for (const auto& b : shapes) queries.emplace_back(a.get(), b.get());
        }
        for (const auto& both : cases.poses) {
            auto& transforms = poses.emplace_back();
            for (int side = 0; side < 2; side++) {
                const auto [w, x, y, z] = both[side].quaternion;
                const auto [cx, cy, cz] = both[side].center;
                transforms[side] = {Eigen::Quaterniond(w, x, y, z).toRotationMatrix(), coal::Vec3s(cx, cy, cz)};
            }
        }
        // By default 1e-6; less costs no time.
        request.gjk_tolerance = request.epa_tolerance = 1e-8;
        // Faster for many vertices only.
        if (shapes[0]->num_points > coal::ConvexBase::num_vertices_large_convex_threshold) {
            request.gjk_variant = coal::NesterovAcceleration;
        }
    }

    Contact query(std::size_t step, std::size_t pair, Memory& memory) {
        const auto& [a, b] = poses[step * chosen.size() + pair];
        if (memory.known) {
            request.gjk_initial_guess = coal::CachedGuess;
            request.cached_gjk_guess = memory.guess;
            request.cached_support_func_guess = memory.vertices;
        } else {
            request.gjk_initial_guess = coal::BoundingVolumeGuess;
        }
        result.clear();
        Contact contact;
        contact.gap = queries[chosen[pair][0] * shapes.size() + chosen[pair][1]](a, b, request, result);
        memory = {true, result.cached_gjk_guess, result.cached_support_func_guess};
        for (int k = 0; k < 3; k++) {
            contact.normal[k] = result.normal[k];
            contact.points[0][k] = result.nearest_points[0][k];
            contact.points[1][k] = result.nearest_points[1][k];
        }
        return contact;
    }
};

}  // namespace

int main(int, char** arguments) {
    const Cases cases = read(arguments[2]);
    return run(Coal(cases), cases, arguments + 1);
}

// What the C++ programs share: files as cases.py writes them, and the timing.
//
// A program is called with MODE FILE REPEAT OUT. It prints the time per query, the best of REPEAT runs over all steps
// and pairs, and how far points and normals are from belonging together; it writes the gaps of the last run to OUT.
// With the mode `warm`, a peer keeps what it likes of a pair from one step to the next, and the first step, which has
// nothing to start from, is not timed. With `cold` it keeps nothing of a pair.

#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <type_traits>
#include <vector>

using Vector = std::array<double, 3>;

struct Pose {
    Vector center;
    // w first.
    std::array<double, 4> quaternion;
};

struct Cases {
    std::size_t pairs, steps;
    // Vertices of each shape.
    std::vector<std::vector<Vector>> shapes;
    // Shapes of each pair.
    std::vector<std::array<std::size_t, 2>> chosen;
    // All pairs of the first step, then of the next.
    std::vector<std::array<Pose, 2>> poses;
};

// What a query finds, in the frame of the world.
struct Contact {
    // Distance of the bodies, or depth of their overlap below zero; not a number if the peer finds nothing.
    double gap = std::numeric_limits<double>::quiet_NaN();
    // From the first body to the second.
    Vector normal{};
    // One on each body.
    std::array<Vector, 2> points{};

    // How far the points are from lying along the normal at the distance of the gap.
    double deviation() const {
        double worst = 0;
        for (int k = 0; k < 3; k++) {
            worst = std::fmax(worst, std::fabs(points[1][k] - points[0][k] - gap * normal[k]));
        }
        return worst;
    }
};

inline Cases read(const char* file) {
    std::ifstream stream(file, std::ios::binary);
    const auto next = [&] {
        double value;
        if (!stream.read(reinterpret_cast<char*>(&value), sizeof value)) {
            std::fprintf(stderr, "error: %s: not a complete file\n", file);
            std::exit(1);
        }
        return value;
    };
    Cases cases;
    cases.shapes.resize(next());
    cases.pairs = next();
    cases.steps = next();
    for (auto& shape : cases.shapes) shape.resize(next());
    for (auto& shape : cases.shapes) {
        for (auto& vertex : shape) std::generate(vertex.begin(), vertex.end(), next);
    }
    cases.chosen.resize(cases.pairs);
    for (auto& pair : cases.chosen) std::generate(pair.begin(), pair.end(), next);
    cases.poses.resize(cases.steps * cases.pairs);
    for (auto& poses : cases.poses) {
        for (auto& pose : poses) {
            std::generate(pose.center.begin(), pose.center.end(), next);
            std::generate(pose.quaternion.begin(), pose.quaternion.end(), next);
        }
    }
    return cases;
}

// A Peer is made from Cases, when it makes its shapes and all poses as the library has them. It has a type Memory, what
// is kept of a pair, and answers query(step, pair, memory) with a Contact.
template <typename Peer>
int run(Peer&& peer, const Cases& cases, char** arguments) {
    using Memory = typename std::remove_reference_t<Peer>::Memory;
    const bool warm = !std::strcmp(arguments[0], "warm");
    const int repeat = std::atoi(arguments[2]);
    double best = std::numeric_limits<double>::infinity(), deviation = 0;
    std::vector<Contact> contacts(cases.pairs);
    std::vector<double> gaps;
    for (int k = 0; k < repeat; k++) {
        std::vector<Memory> memories(cases.pairs);
        double spent = 0;
        gaps.clear();
        for (std::size_t step = 0; step < cases.steps; step++) {
            const auto start = std::chrono::steady_clock::now();
            for (std::size_t pair = 0; pair < cases.pairs; pair++) {
                if (warm) {
                    contacts[pair] = peer.query(step, pair, memories[pair]);
                } else {
                    Memory none;
                    contacts[pair] = peer.query(step, pair, none);
                }
            }
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            if (!warm || step) spent += elapsed.count();
            for (const auto& contact : contacts) {
                gaps.push_back(contact.gap);
                deviation = std::fmax(deviation, contact.deviation());
            }
        }
        best = std::min(best, spent / ((cases.steps - warm) * cases.pairs));
    }
    std::ofstream out(arguments[3], std::ios::binary);
    out.write(reinterpret_cast<const char*>(gaps.data()), gaps.size() * sizeof(double));
    std::printf("{\"seconds\": %.6g, \"points\": %.3g}\n", best, deviation);
    return !out;
}

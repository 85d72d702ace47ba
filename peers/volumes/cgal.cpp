// CGAL Side_of_triangle_mesh: an AABB tree, and the number of faces that a ray passes, with exact predicates.
//
// usage: cgal PEER FOLDER SECONDS SET...; sets up the mesh, asks for the points of each set, prints the times and writes
// the answers beside the set, as rust/src/main.rs does. PEER is cgal or cgal-cached.
//
// Predicates of this kernel are exact. A ray is kept as two points; the second may be rounded, but it is a ray from the
// same point nevertheless, so answers are exact too.

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
using Points = std::vector<Kernel::Point_3>;

// The tree looks its triangles up in the mesh, or keeps a copy: slower to set up, faster to ask.
template <typename Cached>
using Primitive = CGAL::AABB_face_graph_triangle_primitive<Mesh, CGAL::Default, CGAL::Tag_true, Cached>;
template <typename Cached>
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive<Cached>>>;

// Most repetitions, each with a set-up of its own.
constexpr int REPEAT = 30;

[[noreturn]] void fail(const std::string& reason) {
    std::fprintf(stderr, "error: %s\n", reason.c_str());
    std::exit(1);
}

template <typename T>
std::vector<T> read(const std::string& file) {
    std::ifstream stream(file, std::ios::binary | std::ios::ate);
    std::vector<T> values(stream ? static_cast<std::size_t>(stream.tellg()) / sizeof(T) : 0);
    stream.seekg(0);
    if (!stream.read(reinterpret_cast<char*>(values.data()), values.size() * sizeof(T))) fail(file + ": cannot be read");
    return values;
}

Points read_points(const std::string& file) {
    const auto values = read<double>(file);
    Points points;
    for (std::size_t k = 0; k < values.size(); k += 3) points.emplace_back(values[k], values[k + 1], values[k + 2]);
    return points;
}

Mesh read_mesh(const std::string& folder) {
    Mesh mesh;
    for (const auto& vertex : read_points(folder + "/vertices")) mesh.add_vertex(vertex);
    const auto corners = read<std::uint32_t>(folder + "/triangles");
    for (std::size_t k = 0; k < corners.size(); k += 3) {
        const auto vertex = [&](int corner) { return Mesh::Vertex_index(corners[k + corner]); };
        if (mesh.add_face(vertex(0), vertex(1), vertex(2)) == Mesh::null_face()) fail("the mesh is not a manifold");
    }
    return mesh;
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Times {
    double set_up = std::numeric_limits<double>::infinity(), query = set_up, total = set_up;
};

template <typename Cached>
Times measure(const Mesh& mesh, const Points& points, double seconds, std::vector<std::uint8_t>& answers) {
    Times times;
    const double start = now();
    for (int repeat = 0; repeat < REPEAT && (!repeat || now() - start <= seconds); repeat++) {
        const double begin = now();
        // The tree would else be made by the first query.
        Tree<Cached> tree(faces(mesh).first, faces(mesh).second, mesh);
        tree.build();
        const CGAL::Side_of_triangle_mesh<Mesh, Kernel, CGAL::Default, Tree<Cached>> side(tree);
        const auto ask = [&] {
            for (std::size_t k = 0; k < points.size(); k++) {
                const auto place = side(points[k]);
                answers[k] = place == CGAL::ON_BOUNDED_SIDE ? 2 : place == CGAL::ON_BOUNDARY ? 1 : 0;
            }
        };
        const double ready = now();
        ask();
        const double first = now();
        ask();
        const double second = now();
        times.set_up = std::min(times.set_up, ready - begin);
        times.total = std::min(times.total, first - begin);
        times.query = std::min(times.query, (second - first) / points.size());
    }
    return times;
}

int main(int count, char** arguments) {
    if (count < 4) fail("usage: cgal PEER FOLDER SECONDS SET...");
    const std::string peer = arguments[1], folder = arguments[2];
    const double seconds = std::atof(arguments[3]);
    const Mesh mesh = read_mesh(folder);
    const auto chosen = peer == "cgal-cached" ? measure<CGAL::Tag_true> : measure<CGAL::Tag_false>;
    for (int k = 4; k < count; k++) {
        const std::string set = arguments[k];
        const Points points = read_points(folder + "/" + set);
        std::vector<std::uint8_t> answers(points.size());
        const Times times = chosen(mesh, points, seconds, answers);
        std::ofstream(folder + "/" + set + "." + peer, std::ios::binary)
            .write(reinterpret_cast<const char*>(answers.data()), answers.size());
        std::printf("%s\"%s\": {\"set_up\": %.9g, \"query\": %.9g, \"total\": %.9g, \"asked\": %zu}", k == 4 ? "{" : ", ",
                    set.c_str(), times.set_up, times.query, times.total, points.size());
    }
    std::puts("}");
}

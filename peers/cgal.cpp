// CGAL box_intersection_d: streamed segment trees over the spheres' boxes, then the sphere test.
//
// usage: cgal FILE REPEAT SECONDS; prints the best of up to REPEAT detections, fewer if they take more than SECONDS.
// Without arguments it prints the version of CGAL.

#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// A NumPy array of float64 as inputs.py writes it: rows of `columns` values.
struct Array {
    int columns;
    std::vector<double> values;
};

Array read(const char* file) {
    std::ifstream stream(file, std::ios::binary);
    char start[10];
    stream.read(start, sizeof start);
    std::string header(static_cast<unsigned char>(start[8]) + 256 * static_cast<unsigned char>(start[9]), ' ');
    stream.read(&header[0], header.size());
    long rows;
    Array array;
    if (std::sscanf(header.c_str() + header.find("'shape'"), "'shape': (%ld, %d)", &rows, &array.columns) != 2) {
        std::fprintf(stderr, "%s: not an input of ours\n", file);
        std::exit(1);
    }
    array.values.resize(rows * array.columns);
    stream.read(reinterpret_cast<char*>(array.values.data()), array.values.size() * sizeof(double));
    return array;
}

template <int D>
void find(const std::vector<double>& values, Pairs& pairs) {
    // The position of a box's sphere in `values` serves as its number.
    using namespace CGAL::Box_intersection_d;
    using Box = Box_with_handle_d<double, D, const double*, ID_FROM_HANDLE>;
    std::vector<Box> boxes;
    boxes.reserve(values.size() / (D + 1));
    for (const double* sphere = values.data(); sphere != values.data() + values.size(); sphere += D + 1) {
        double low[D], high[D];
        for (int k = 0; k < D; k++) {
            low[k] = sphere[k] - sphere[D];
            high[k] = sphere[k] + sphere[D];
        }
        boxes.emplace_back(low, high, sphere);
    }
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Box& a, const Box& b) {
        const double *p = a.handle(), *q = b.handle();
        double square = 0;
        for (int k = 0; k < D; k++) square += (p[k] - q[k]) * (p[k] - q[k]);
        const double reach = p[D] + q[D];
        if (square <= reach * reach) {
            pairs.emplace_back((p - values.data()) / (D + 1), (q - values.data()) / (D + 1));
        }
    });
}

int main(int count, char** arguments) {
    if (count == 1) {
        std::puts(CGAL_VERSION_STR);
        return 0;
    }
    const Array array = read(arguments[1]);
    const int repeat = std::atoi(arguments[2]);
    const double seconds = std::atof(arguments[3]);
    double best = std::numeric_limits<double>::infinity(), spent = 0;
    Pairs pairs;
    for (int k = 0; k < repeat && spent <= seconds; k++) {
        const auto start = std::chrono::steady_clock::now();
        pairs.clear();
        array.columns == 4 ? find<3>(array.values, pairs) : find<2>(array.values, pairs);
        const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::min(best, elapsed);
        spent += elapsed;
    }
    std::printf("{\"seconds\": %.9g, \"pairs\": %zu}\n", best, pairs.size());
}

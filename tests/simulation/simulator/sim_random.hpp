#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/check.hpp"
#include "base/random.hpp"
#include "base/time.hpp"

namespace millrace::sim {

// A random source that repeats itself: all that happens in a run comes from such sources, and those
// from one seed. SplitMix64: every seed is a good one, and making one costs nothing.
class SimRandom final : public Random {
public:
    explicit SimRandom(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() override {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        return mixed ^ (mixed >> 31);
    }

    // From 0 to n - 1; 0 when n is 0.
    std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }
    // Both ends included.
    int between(int low, int high) {
        return low + static_cast<int>(below(static_cast<std::size_t>(high - low) + 1));
    }
    Duration between(Duration low, Duration high) {
        const auto ticks = static_cast<std::size_t>((high - low).count()) + 1;
        return low + Duration{static_cast<Duration::rep>(below(ticks))};
    }
    bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }

    template <class Container>
    auto& pick(Container& container) {
        MILLRACE_CHECK(container.size() > 0);
        return *std::next(container.begin(), static_cast<std::ptrdiff_t>(below(container.size())));
    }

    // A stream of its own: draws there shift nothing here.
    SimRandom branch() { return SimRandom(next()); }

private:
    std::uint64_t state_;
};

// The seed of a part that has a name, so that a new part shifts nothing in the others.
inline std::uint64_t seed_of(std::uint64_t seed, std::string_view part, std::uint64_t number = 0) {
    std::uint64_t mixed = seed ^ (number * 0xD1342543DE82EF95u);
    for (const char letter : part) {
        mixed = (mixed ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
    }
    return SimRandom(mixed).next();
}

}  // namespace millrace::sim

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/coverage.hpp"
#include "simulator/event.hpp"
#include "simulator/stores.hpp"

namespace millrace::sim {

struct RunOptions {
    StoreKind store{};
    bool keeps_trace = false;
    Coverage* coverage = nullptr;  // Null: nobody counts.
    Observer* observer = nullptr;  // One more, for tests.
    // Events that are left out, by their numbers.
    std::set<std::size_t> without{};
};

struct SeedResult {
    std::uint64_t seed = 0;
    std::optional<std::string> violation{};  // The first thing that must not be.
    std::uint64_t steps = 0;
    std::size_t events = 0;
    std::uint64_t hash = 0;  // Of all that happened: the same seed has the same one.
    std::vector<std::string> trace{};
};

SeedResult run_seed(std::uint64_t seed, const RunOptions& options);

}  // namespace millrace::sim

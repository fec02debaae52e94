#pragma once

#include <chrono>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace {

// How often somebody asks how a run goes that nobody waits for.
struct LookPace {
    Duration shortest = std::chrono::seconds{5};
    Duration longest = std::chrono::seconds{60};

    friend bool operator==(const LookPace&, const LookPace&) = default;
};

// How long to wait before the next look at a run of that age: a quarter of it, so that what is
// short is noticed soon and what is long is not asked about for nothing. Pure: the dice by which
// runs that began together are told apart, up to an eighth, are the execution's own id.
Duration look_after(const LookPace& pace, Duration age, ExecutionId id);

}  // namespace millrace

#pragma once

#include "base/clock.hpp"
#include "base/random.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "observe/tracer.hpp"
#include "store/database.hpp"

namespace millrace {

// Everything around a node that it needs and does not own. The tests and the simulator bring other
// clocks, random sources and stores.
struct NodeContext {
    Database& database;
    const Clock& clock;
    Random& random;
    observe::Metrics& metrics;
    const observe::Tracer& tracer;
    observe::Log& log;
};

}  // namespace millrace

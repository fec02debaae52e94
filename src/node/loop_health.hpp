#pragma once

#include <atomic>
#include <string>

#include "observe/log.hpp"
#include "runtime/backoff.hpp"
#include "runtime/loop.hpp"

namespace millrace {

// How one loop gets on with the store: says in the log when that fails and when it works again, and
// how long the loop pauses. One thread.
class LoopHealth {
public:
    // `unhealthy_loops` counts those that fail at the moment.
    LoopHealth(std::string name, observe::Log& log, std::atomic<int>& unhealthy_loops,
               Random& random, runtime::Backoff::Limits limits = {})
        : name_(std::move(name)),
          log_(log),
          unhealthy_loops_(unhealthy_loops),
          backoff_(random, limits) {}

    // What the loop does next. `detail` says more about what failed.
    runtime::Loop::Next failed(std::string_view detail = {});
    void succeeded();

private:
    const std::string name_;
    observe::Log& log_;
    std::atomic<int>& unhealthy_loops_;
    runtime::Backoff backoff_;
    bool is_healthy_ = true;
};

}  // namespace millrace

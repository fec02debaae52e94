#pragma once

#include "commit/command_queue.hpp"
#include "scheduler/due_loop.hpp"
#include "scheduler/refused_duty.hpp"
#include "store/reader.hpp"

namespace millrace {

using LeaseReaper = DueLoop<JobKey>;

// Puts jobs whose lease has run out back in line. `on_expired` is called for each. An
// instance for which that can never be done fails.
LeaseReaper::Source lease_source(Reader& reader, CommandQueue& queue,
                                 std::function<void()> on_expired, const RefusedNote& note = {});

}  // namespace millrace

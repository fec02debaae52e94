#pragma once

#include "commit/command_queue.hpp"
#include "scheduler/due_loop.hpp"
#include "store/reader.hpp"

namespace millrace {

using LeaseReaper = DueLoop<JobKey>;

// Puts jobs whose lease has run out back in line. `on_expired` is called for each.
LeaseReaper::Source lease_source(Reader& reader, CommandQueue& queue,
                                 std::function<void()> on_expired);

}  // namespace millrace

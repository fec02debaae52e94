#pragma once

#include "commit/command_queue.hpp"
#include "scheduler/due_loop.hpp"
#include "store/reader.hpp"

namespace millrace {

using TimerFirer = DueLoop<TimerKey>;

// Fires boundary timers when they are due.
TimerFirer::Source timer_source(Reader& reader, CommandQueue& queue);

}  // namespace millrace

#pragma once

#include "commit/command_queue.hpp"
#include "scheduler/due_loop.hpp"
#include "scheduler/refused_duty.hpp"
#include "store/reader.hpp"

namespace millrace {

using TimerFirer = DueLoop<TimerKey>;

// Fires boundary timers when they are due. An instance whose timer can never fire fails.
TimerFirer::Source timer_source(Reader& reader, CommandQueue& queue, const RefusedNote& note = {});

}  // namespace millrace

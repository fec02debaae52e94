#pragma once

#include <functional>

#include "commit/command_queue.hpp"

namespace millrace {

// Whether trying again can help: the store was away or busy, or nobody could tell.
bool may_pass(const Error& error);

// Told of each duty that is refused for good. Any thread.
using RefusedNote = std::function<void(const InstanceKey&, const Error&)>;

// Ends a duty on a step of an instance. One that is refused for good, by its rules or for its data,
// fails the instance with a reason, so that it is seen and is no longer due; `done` gets an error
// when it may pass, when it is a mistake of ours, or when even failing was not to be had.
// `sequence` is that of the timer or job.
void end_step_duty(CommandQueue& queue, const InstanceKey& instance, std::uint32_t sequence,
                   std::string_view what, const Status& status, const RefusedNote& note,
                   std::function<void(const Status&)> done);

}  // namespace millrace

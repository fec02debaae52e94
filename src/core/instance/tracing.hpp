#pragma once

#include <optional>
#include <string>

#include "base/trace_context.hpp"
#include "core/instance/instance.hpp"

namespace millrace {

// The span of an instance, from its start to its end; nothing when no span tells of it.
std::optional<TraceContext> trace_context_of(const Instance& instance);

// What work that begins at `id`, the instance itself or one of its jobs, is told to go on with.
// Where no span tells of it that is what the instance was started from, unchanged; empty for none.
std::string trace_parent_below(const Instance& instance, Id128 id);

}  // namespace millrace

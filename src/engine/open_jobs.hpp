#pragma once

#include <functional>

#include "engine/run_event.hpp"

namespace millrace {

// The rows of an instance's open jobs that a command has not asked for yet: they are known only
// once the instance is loaded.
Footprint missing_jobs(const WorkingSet& rows, const Instance& instance);

// Adds what becomes of each open job of the instance, where anything does.
void change_open_jobs(const WorkingSet& rows, const Instance& instance,
                      const std::function<Job(Job)>& change, Effects& effects);

}  // namespace millrace

#pragma once

#include "store/working_set.hpp"

namespace millrace {

// A job that has left its worker's hands as its instance wants it: a suspended one keeps it back.
Job back_in_line(Job job, const Instance& instance, Instant now);

// How long a job waits after the failure that is about to be counted, as its step says.
Duration retry_delay(const WorkingSet& rows, const Instance& instance, const Job& job);

}  // namespace millrace

#pragma once

#include <string>

#include "core/instance/instance.hpp"
#include "core/job/transitions.hpp"

namespace millrace {

// The try that a call has just ended. The lease tells who it was; without one, the caller does.
Try end_of_try(const Job& job, const LeaseProof& proof, TryOutcome outcome, std::string message,
               Instant now);

}  // namespace millrace

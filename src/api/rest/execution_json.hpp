#pragma once

#include <string>

#include "queue/get_execution.hpp"

namespace millrace::rest {

// The objects of the execution queue, in the manner of wire_json.hpp.

// Without what may be large, its input and result: lists, and calls that change one.
void append_execution(std::string& out, const Execution& execution);

// With both.
void append_stored_execution(std::string& out, const StoredExecution& stored);

// Where it is found: /v1/executions/{id}
std::string location_of(ExecutionId id);

void append_dead_letter_group(std::string& out, const DeadLetterGroup& group);

}  // namespace millrace::rest

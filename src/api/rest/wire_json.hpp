#pragma once

#include <string>
#include <string_view>

#include "base/time.hpp"
#include "core/instance/instance.hpp"
#include "core/job/job.hpp"
#include "engine/list_definitions.hpp"

namespace millrace::rest {

// The objects of the API, written straight behind what `out` holds. Keys are those of existing
// clients; what is not set is left out, unless said otherwise.

// RFC 3339, UTC, microseconds without trailing zeros: "2026-11-15T06:55:59.54562Z"
void append_time(std::string& out, Instant at);

void append_id(std::string& out, Id128 id);

void append_definition_summary(std::string& out, const DefinitionSummary& definition);

void append_instance(std::string& out, const Instance& instance);
// The same without its variables.
void append_instance_state(std::string& out, const Instance& instance);

// A line of history. `endedAt` and `failureReason` are null while there is none.
void append_step_execution(std::string& out, const StepExecution& execution);

// `attempt` counts how often the job was handed out, `idempotencyKey` is the same for all of them.
// A job as a worker gets it, locked.
void append_job(std::string& out, const Job& job, const Variables& variables);

}  // namespace millrace::rest

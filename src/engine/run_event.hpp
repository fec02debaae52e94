#pragma once

#include "commit/command.hpp"
#include "core/instance/advance.hpp"

namespace millrace {

// Runs an event on an instance whose row the batch holds, and with it, in the same transaction, the
// workflows that are chained to its end. Every command that moves an instance goes through here.
Result<Decision<Instance>> run_event(const WorkingSet& rows, Instance instance, const Event& event,
                                     Instant now);

// The same for an instance that does not exist yet.
Result<Decision<Instance>> run_start(const WorkingSet& rows, const DefinitionRow& definition,
                                     Instance instance, Instant now);

}  // namespace millrace

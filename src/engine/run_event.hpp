#pragma once

#include "commit/command.hpp"
#include "core/instance/advance.hpp"

namespace millrace {

// What an event has made of an instance, and of those that are chained to its end.
struct Ran {
    Effects effects{};    // The instance itself is the first of `effects.instances`.
    Footprint missing{};  // Not empty: nothing has run, these rows are needed first.

    const Instance& instance() const { return effects.instances.front(); }
};

// Runs an event on an instance whose row the batch holds, and with it, in the same transaction, the
// workflows that are chained to its end; when they take or write too much for one transaction, the
// next one is started by a timer that is due at once. Every command that moves an instance goes
// through here.
Result<Ran> run_event(const WorkingSet& rows, Instance instance, const Event& event, Instant now);

// The same for an instance that does not exist yet.
Result<Ran> run_start(const WorkingSet& rows, const DefinitionRow& definition, Instance instance,
                      Instant now);

// The same, but nothing runs yet: a timer that is due at once begins it. For a command that has
// done its share of work with others.
Ran run_start_later(Instance instance, Instant now);

// The decision of a command that answers with the instance.
Result<Decision<Instance>> answer_with_instance(Result<Ran> ran);

}  // namespace millrace

#pragma once

#include <cstddef>

#include "base/time.hpp"
#include "core/instance/instance_effects.hpp"

namespace millrace {

// How much a store has to write for an instance.
struct WriteSize {
    std::size_t rows = 0;
    std::size_t bytes = 0;

    friend bool operator==(const WriteSize&, const WriteSize&) = default;
};

WriteSize write_size(const InstanceEffects& effects);

// Puts the start of the chained workflow off to a transaction of its own: `effects` are those of an
// instance that has just completed with one. It stays open until that start, without a step: so it
// keeps its execution and the slot of that, people may cancel or suspend it, and nothing takes it
// for something that is over. A timer that is due at once fires the start, and the automatic steps
// so far count there too.
void put_chain_off(InstanceEffects& effects, Instant now);

// The same for the start of an instance that does not exist yet.
InstanceEffects put_start_off(Instance instance, Instant now);

}  // namespace millrace

#pragma once

#include <functional>

#include "model/state.hpp"

namespace millrace::model {

using Visit = std::function<void(const char* move, const State& next)>;

State first_state(const Cast& cast);

// Calls `visit` with everything that can happen next.
void for_each_move(const State& state, const Cast& cast, const Visit& visit);

// The sentence of the invariant that is broken; null when all hold.
const char* broken_invariant(const State& state, const Cast& cast);

// Whether all jobs have ended and every stream has its whole credit. It must stay within reach.
bool is_finished(const State& state, const Cast& cast);

}  // namespace millrace::model

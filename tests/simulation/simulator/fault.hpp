#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/time.hpp"

namespace millrace::sim {

// What a node asks of its store.
enum class StoreCall { load, extend, apply, resolve, look, claim, read, cluster, lock, hint };

// Everything that goes wrong in a run is one of these. The first ones strike a call of a store.
enum class Fault {
    away,         // Refused: nobody answers.
    full,         // Refused: there is no room.
    locked,       // Refused: somebody else holds a row.
    overrun,      // Refused: it took too long.
    reply_lost,   // It took effect, and its reply got lost; of an apply: in doubt, committed.
    commit_lost,  // An apply in doubt that never reached the store; else as `away`.
    killed,       // The replica dies in this call: before it or after it took effect.
    interleaved,  // Others have their rounds first, in the midst of this one.
    poisoned,     // The data of an apply is refused.
    hint_lost,    // And so on: doubled, late.
    slept,        // The replica stood still for a while.
    clock,        // Its clock jumped or stood still.
    restarted,    // Stopped in order, or killed between two rounds.
};

inline constexpr std::size_t kFaultCount = 13;

constexpr std::string_view to_string(Fault fault) {
    constexpr std::array<std::string_view, kFaultCount> kNames{
        "away",        "full",     "locked",    "overrun", "reply_lost", "commit_lost", "killed",
        "interleaved", "poisoned", "hint_lost", "slept",   "clock",      "restarted"};
    return kNames.at(static_cast<std::size_t>(fault));
}

// Thrown by a store call in which its replica dies. Nothing of the replica runs after it.
struct Killed {};

}  // namespace millrace::sim

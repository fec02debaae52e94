#pragma once

#include <string>

#include "store/effects.hpp"

namespace millrace::sim {

// What a commit has changed, in one line, for a trace: rows with their states, not their contents.
std::string text_of(const Writes& writes);

}  // namespace millrace::sim

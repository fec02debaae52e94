#pragma once

#include <string>

namespace millrace::cli {

// How long something has lasted, as exact as people want to know it: 0.1 s, 42 s, 5 min, 2 h 10
// min.
std::string age_text(double seconds);

}  // namespace millrace::cli

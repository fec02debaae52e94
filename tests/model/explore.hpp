#pragma once

#include <string>
#include <vector>

#include "model/state.hpp"

namespace millrace::model {

struct Found {
    std::size_t states = 0;
    std::string broken{};              // Empty: all is well.
    std::vector<std::string> moves{};  // A shortest way there.
};

// Visits every state that can be reached, breadth first, until an invariant is broken. Then sees
// that from every one of them the work can still be finished.
Found explore(const Cast& cast);

}  // namespace millrace::model

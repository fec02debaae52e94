#pragma once

#include <string>

namespace millrace {

// What the settings call the target of an execution: who names none means the default.
inline std::string target_name(const std::string& target) {
    return target.empty() ? "default" : target;
}

}  // namespace millrace

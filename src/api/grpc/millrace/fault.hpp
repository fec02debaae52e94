#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace millrace::rpc {

// What is wrong with a field of a message: where, by the names of JSON, and a sentence without its
// subject ("must be JSON").
struct Fault {
    std::string path{};
    std::string what{};
};

// Each level that a fault passes on its way out puts its own name in front.
inline Fault inside(std::string_view name, Fault fault) {
    if (!fault.path.empty() && fault.path.front() != '[') fault.path.insert(0, ".");
    fault.path.insert(0, name);
    return fault;
}

inline std::string item_name(std::string_view list, int index) {
    return std::string(list) + "[" + std::to_string(index) + "]";
}

inline std::string sentence(const Fault& fault) {
    return (fault.path.empty() ? "The message" : fault.path) + " " + fault.what;
}

// To whoever sent the message.
inline Error refusal(const Fault& fault) {
    const std::string reason = sentence(fault);
    return {ErrorCode::invalid_argument, reason, {{fault.path, reason}}};
}

}  // namespace millrace::rpc

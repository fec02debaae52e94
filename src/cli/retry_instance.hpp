#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace instances retry ID`: goes on from where a FAILED instance failed.
struct RetryInstance {
    std::string id{};
};

int execute(const RetryInstance& command, const Context& context);

}  // namespace millrace::cli

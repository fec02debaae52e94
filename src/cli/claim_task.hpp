#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace tasks claim ID --user USER`
struct ClaimTask {
    std::string id{};
    std::string user_id{};
};

int execute(const ClaimTask& command, const Context& context);

}  // namespace millrace::cli

#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace dlq dismiss ID`
struct DismissDeadLetter {
    std::string id{};
};

int execute(const DismissDeadLetter& command, const Context& context);

}  // namespace millrace::cli

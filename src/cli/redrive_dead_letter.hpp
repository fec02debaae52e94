#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace dlq redrive ID`
struct RedriveDeadLetter {
    std::string id{};
};

int execute(const RedriveDeadLetter& command, const Context& context);

}  // namespace millrace::cli

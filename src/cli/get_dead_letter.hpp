#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace dlq get ID`
struct GetDeadLetter {
    std::string id{};
};

int execute(const GetDeadLetter& command, const Context& context);

}  // namespace millrace::cli

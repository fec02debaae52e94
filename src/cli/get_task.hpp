#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace tasks get ID`
struct GetTask {
    std::string id{};
};

int execute(const GetTask& command, const Context& context);

}  // namespace millrace::cli

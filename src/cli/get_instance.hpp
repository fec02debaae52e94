#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace instances get ID`
struct GetInstance {
    std::string id{};
};

int execute(const GetInstance& command, const Context& context);

}  // namespace millrace::cli

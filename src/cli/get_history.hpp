#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace instances history ID`
struct GetHistory {
    std::string instance_id{};
};

int execute(const GetHistory& command, const Context& context);

}  // namespace millrace::cli

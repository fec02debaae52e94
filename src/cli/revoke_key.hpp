#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace keys revoke ID`
struct RevokeKey {
    std::string id{};
};

int execute(const RevokeKey& command, const Context& context);

}  // namespace millrace::cli

#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace instances cancel ID`
struct CancelInstance {
    std::string id{};
    std::string reason{};
};

int execute(const CancelInstance& command, const Context& context);

}  // namespace millrace::cli

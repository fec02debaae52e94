#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace jobs get ID`: also of a job that is over.
struct GetJob {
    std::string id{};
};

int execute(const GetJob& command, const Context& context);

}  // namespace millrace::cli

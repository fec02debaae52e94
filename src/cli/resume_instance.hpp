#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace instances resume ID`
struct ResumeInstance {
    std::string id{};
};

int execute(const ResumeInstance& command, const Context& context);

}  // namespace millrace::cli

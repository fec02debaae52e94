#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace definitions get ID`: as its author wrote it.
struct GetDefinition {
    std::string id{};
    std::optional<std::int32_t> version{};
};

int execute(const GetDefinition& command, const Context& context);

}  // namespace millrace::cli

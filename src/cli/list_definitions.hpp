#pragma once

#include <cstdint>
#include <string>

#include "cli/collect.hpp"
#include "cli/context.hpp"

namespace millrace::cli {

// `millrace definitions list`
struct ListDefinitions {
    std::string keyword{};
    // The versions of this one, when it is not empty.
    std::string versions_of{};
    std::int32_t limit = kListLimit;
};

int execute(const ListDefinitions& command, const Context& context);

}  // namespace millrace::cli

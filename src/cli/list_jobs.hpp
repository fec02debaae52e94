#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"
#include "millrace/client/requests.hpp"

namespace millrace::cli {

// `millrace jobs list`: those that are not over.
struct ListJobs {
    client::ListJobs query{};
    std::int32_t limit = kListLimit;
};

int execute(const ListJobs& command, const Context& context);

}  // namespace millrace::cli

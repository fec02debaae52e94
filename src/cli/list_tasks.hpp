#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"
#include "millrace/client/requests.hpp"

namespace millrace::cli {

// `millrace tasks list`
struct ListTasks {
    client::ListUserTasks query{};
    std::int32_t limit = kListLimit;
};

int execute(const ListTasks& command, const Context& context);

}  // namespace millrace::cli

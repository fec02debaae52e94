#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"
#include "millrace/client/requests.hpp"

namespace millrace::cli {

// `millrace audit`: who did what, newest first.
struct ListAudit {
    client::ListAudit query{};
    std::int32_t limit = kListLimit;
};

int execute(const ListAudit& command, const Context& context);

}  // namespace millrace::cli

#pragma once

#include <cstdint>
#include <string>

#include "cli/context.hpp"
#include "millrace/client/requests.hpp"

namespace millrace::cli {

// `millrace instances cancel` with a filter: cancels all that match, after asking.
struct CancelInstances {
    client::InstanceFilter filter{};
    std::string reason{};
    bool is_dry_run = false;
    // Do not ask.
    bool is_confirmed = false;
    // At most so many; 0 is all.
    std::int32_t limit = 0;
};

int execute(const CancelInstances& command, const Context& context);

}  // namespace millrace::cli

#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"
#include "millrace/client/requests.hpp"

namespace millrace::cli {

// `millrace instances list`
struct ListInstances {
    client::InstanceFilter filter{};
    std::int32_t limit = kListLimit;
};

int execute(const ListInstances& command, const Context& context);

}  // namespace millrace::cli

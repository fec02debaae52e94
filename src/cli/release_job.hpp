#pragma once

#include <cstdint>
#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace jobs release ID`
struct ReleaseJob {
    std::string id{};
    std::string worker_id{};
    std::int64_t lease_token = 0;  // 0: none.
    std::int64_t delay_seconds = 0;
    std::string reason{};
};

int execute(const ReleaseJob& command, const Context& context);

}  // namespace millrace::cli

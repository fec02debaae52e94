#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace instances events ID`: prints what happens to an instance until it is over. When the
// connection breaks, or the server stops, it goes on after the last event.
struct WatchInstance {
    std::string id{};
    std::string after{};
};

int execute(const WatchInstance& command, const Context& context);

}  // namespace millrace::cli

#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace backup --to FILE`: asks the server for a copy of its store. Where none runs and none
// was named, copies the data directory itself.
struct BackUp {
    std::string file{};
    // Copy this one and ask nobody.
    std::string data_directory{};
    // Replace the file.
    bool is_forced = false;
};

int execute(const BackUp& command, const Context& context);

}  // namespace millrace::cli

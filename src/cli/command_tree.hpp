#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

// A command as a user types it, for completion and for checking the pages about it.
struct CommandShape {
    std::string path{};  // "instances start"; empty for the program itself.
    std::string description{};
    // Names of commands below it.
    std::vector<std::string> commands{};
    // --reason, --yes …; without those that every command has.
    std::vector<std::string> options{};
};

// All commands, those above before those below; `serve`, which is no command of this layer, is not
// among them.
std::vector<CommandShape> command_tree();

// The options that every command has.
std::vector<std::string> global_options();

}  // namespace millrace::cli

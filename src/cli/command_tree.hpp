#pragma once

#include <string>
#include <vector>

#include "cli/option_shape.hpp"

namespace millrace::cli {

// A command as a user types it, for completion and for checking the pages about it.
struct CommandShape {
    std::string path{};  // "instances start"; empty for the program itself.
    std::string description{};
    // Names of commands below it.
    std::vector<std::string> commands{};
    // --reason, --yes …; without those that every command has.
    std::vector<OptionShape> options{};
    // Whether something follows that is no option, and what, when that is one of a few words.
    bool takes_arguments = false;
    std::vector<std::string> argument_words{};
};

// All commands, those above before those below; `serve`, which is no command of this layer, is not
// among them.
std::vector<CommandShape> command_tree();

// The options that every command has.
std::vector<OptionShape> global_options();

}  // namespace millrace::cli

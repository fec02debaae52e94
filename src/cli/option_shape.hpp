#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

// An option as a user types it, for completion and for checking the pages about it.
struct OptionShape {
    std::string name{};  // --status
    // False for a flag, which stands alone.
    bool takes_value = false;
    // What may follow it, when that is one of a few words.
    std::vector<std::string> words{};
};

}  // namespace millrace::cli

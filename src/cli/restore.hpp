#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace restore --from FILE --data-dir DIR`: makes a data directory of a backup.
struct Restore {
    std::string file{};
    std::string data_directory{};
};

int execute(const Restore& command, const Context& context);

}  // namespace millrace::cli

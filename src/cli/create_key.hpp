#pragma once

#include <optional>
#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace keys create NAME --role ROLE`: through the server, or in the store itself.
struct CreateKey {
    std::string name{};
    std::string role{};
    std::optional<std::string> workspace{};  // Absent: for all.
    std::optional<std::string> expires_at{};
    // Either opens the store itself.
    std::string data_directory{};
    std::string store{};
    // Make the embedded store when there is none.
    bool may_make_store = false;
};

int execute(const CreateKey& command, const Context& context);

}  // namespace millrace::cli

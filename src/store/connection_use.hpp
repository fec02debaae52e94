#pragma once

#include <cstdint>
#include <string_view>

namespace millrace {

// What becomes of the connections that one kind of work has to a database.
struct ConnectionUse {
    std::string_view kind{};  // committer, claimer, reader and so on.
    std::int64_t open = 0;
    std::int64_t busy = 0;  // Of the open ones: those that wait for an answer.
    std::uint64_t connects = 0;
    std::uint64_t connect_failures = 0;
};

}  // namespace millrace

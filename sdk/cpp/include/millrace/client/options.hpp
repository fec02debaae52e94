#pragma once

#include <cstddef>
#include <string>

#include "base/time.hpp"

namespace millrace::client {

struct ClientOptions {
    // http://HOST[:PORT][/PREFIX]
    std::string server = "http://127.0.0.1:8080";
    Duration connect_duration_max = std::chrono::seconds(5);
    // From sending a request to the end of its answer. Long polls get their waiting time on top.
    Duration request_duration_max = std::chrono::seconds(30);
    // Connections that are kept open between calls. More calls at once open more, and close them.
    std::size_t idle_connections_max = 64;
    // An answer above this is refused, so that a confused server cannot eat our memory.
    std::size_t reply_bytes_max = std::size_t{64} << 20;
};

}  // namespace millrace::client

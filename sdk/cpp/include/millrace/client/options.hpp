#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "millrace/client/interceptor.hpp"
#include "millrace/time.hpp"

namespace millrace::client {

struct ClientOptions {
    // http://HOST[:PORT][/PREFIX], or https://.
    std::string server = "http://127.0.0.1:8080";
    // Sent with every call; a server without authentication needs none.
    std::string api_key{};
    // The server's own choice when empty: that of the key, else "default".
    std::string workspace{};
    // PEM file with the certificates that a server's may be signed by; the system's when empty.
    std::string ca_file{};
    // Without it anybody on the way can pose as the server.
    bool verifies_server = true;
    Duration connect_duration_max = std::chrono::seconds(5);
    // From sending a request to the end of its answer. Long polls get their waiting time on top. Of
    // an answer that comes in pieces, the time from one to the next.
    Duration request_duration_max = std::chrono::seconds(30);
    // Connections that are kept open between calls. More calls at once open more, and close them.
    std::size_t idle_connections_max = 64;
    // An answer above this is refused, so that a confused server cannot eat our memory.
    std::size_t reply_bytes_max = std::size_t{64} << 20;
    // The same for the values of its JSON, of which each takes 40 bytes and more.
    std::size_t reply_values_max = 4'000'000;
    // How often a call that may be repeated is tried while the server cannot be reached or says
    // that it cannot serve now. All calls together repeat at most one in ten, after a reserve of
    // ten.
    std::int32_t tries_max = 1;
    // Around each call; the first is the outermost.
    std::vector<CallInterceptor> interceptors{};
};

}  // namespace millrace::client

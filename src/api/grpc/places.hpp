#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace millrace::rpc {

// Where to listen: addresses of this machine, all with one port.
struct Places {
    std::vector<std::string> addresses{};
    std::uint16_t port = 0;
};

// gRPC says of an address only that it cannot listen there, and takes the others; so they are tried
// before. Addresses that this machine does not have are left out. Port 0 becomes one that is free
// on all of them. unavailable: one is taken, or there is none; the sentence says which and why.
Result<Places> find_places(const std::vector<std::string>& addresses, std::uint16_t port);

Error listen_error(const std::string& address, std::uint16_t port, const std::string& why);

}  // namespace millrace::rpc

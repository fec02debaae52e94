#pragma once

#include <string>
#include <string_view>

namespace millrace::rpc {

// Who is at the other end, as gRPC names it: ipv4:127.0.0.1:4711, ipv6:%5B::1%5D:4711, unix:/path.
struct Peer {
    std::string address{};  // An IP address; of a peer on this machine without one, its kind.
    bool is_local = false;  // It did not come over a network, so that it has no Host to judge.
};

Peer parse_peer(std::string_view text);

// The authority of a call as a Host of HTTP: gRPC's own clients percent-encode its brackets.
std::string host_of(std::string_view authority);

}  // namespace millrace::rpc

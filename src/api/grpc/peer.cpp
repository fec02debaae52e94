#include "api/grpc/peer.hpp"

#include "api/http/url.hpp"

namespace millrace::rpc {

namespace {

// Without the port, and without the brackets of IPv6.
std::string address_in(std::string_view host) {
    const std::size_t colon = host.rfind(':');
    std::string_view address = host.substr(0, colon);
    if (address.starts_with('[') && address.ends_with(']')) {
        address = address.substr(1, address.size() - 2);
    }
    return std::string(address);
}

}  // namespace

Peer parse_peer(std::string_view text) {
    const std::string_view kind = text.substr(0, text.find(':'));
    if (kind != "ipv4" && kind != "ipv6") {
        const bool is_local = kind == "unix" || kind == "unix-abstract" || kind == "inproc";
        return {.address = std::string(kind), .is_local = is_local};
    }
    return {.address = address_in(host_of(text.substr(kind.size() + 1)))};
}

std::string host_of(std::string_view authority) {
    return http::percent_decoded(authority).value_or(std::string(authority));
}

}  // namespace millrace::rpc

#include "api/grpc/places.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

namespace millrace::rpc {

namespace {

// Closed when it dies, so that gRPC can have the port.
class Socket {
public:
    explicit Socket(int family) : descriptor_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
    ~Socket() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    int get() const { return descriptor_; }

private:
    const int descriptor_;
};

struct Address {
    sockaddr_storage storage{};
    socklen_t bytes = 0;
    int family = AF_UNSPEC;
};

std::optional<Address> parse_address(const std::string& text, std::uint16_t port) {
    Address address;
    auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
    auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
    if (::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(port);
        address.bytes = sizeof v4;
        address.family = AF_INET;
        return address;
    }
    if (::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) != 1) return std::nullopt;
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.bytes = sizeof v6;
    address.family = AF_INET6;
    return address;
}

// The port that was taken, or the error of the system.
struct Tried {
    std::uint16_t port = 0;
    int error = 0;
};

Tried try_address(const Address& address) {
    const Socket socket(address.family);
    if (socket.get() < 0) return {.error = errno};
    const int on = 1;
    (void)::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address.family == AF_INET6) {
        (void)::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    }
    const auto* wanted = reinterpret_cast<const sockaddr*>(&address.storage);
    if (::bind(socket.get(), wanted, address.bytes) != 0) return {.error = errno};
    if (::listen(socket.get(), 1) != 0) return {.error = errno};
    Address got;
    got.bytes = sizeof got.storage;
    if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&got.storage), &got.bytes) != 0) {
        return {.error = errno};
    }
    // The port is at the same place in both.
    return {.port = ntohs(reinterpret_cast<const sockaddr_in&>(got.storage).sin_port)};
}

bool is_absent(int error) {
    return error == EADDRNOTAVAIL || error == EAFNOSUPPORT;
}

}  // namespace

Result<Places> find_places(const std::vector<std::string>& addresses, std::uint16_t port) {
    Places places{.port = port};
    for (const std::string& text : addresses) {
        const std::optional<Address> address = parse_address(text, places.port);
        if (!address) return listen_error(text, port, "it is not an address");
        const Tried tried = try_address(*address);
        if (is_absent(tried.error)) continue;
        if (tried.error != 0) {
            return listen_error(text, places.port, std::system_category().message(tried.error));
        }
        places.port = tried.port;
        places.addresses.push_back(text);
    }
    if (places.addresses.empty()) return listen_error(addresses.at(0), port, "no such address");
    return places;
}

Error listen_error(const std::string& address, std::uint16_t port, const std::string& why) {
    return {ErrorCode::unavailable,
            "Cannot listen on " + address + " port " + std::to_string(port) + ": " + why + "."};
}

}  // namespace millrace::rpc

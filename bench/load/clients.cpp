#include "load/clients.hpp"

namespace millrace::bench {

Clients connect_clients(EventLoop& loop, const LoadOptions& options) {
    Clients clients;
    for (std::size_t i = 0; i < static_cast<std::size_t>(options.clients); ++i) {
        const std::uint16_t port = options.ports[i % options.ports.size()];
        clients.push_back(std::make_unique<HttpConnection>(loop, port));
    }
    return clients;
}

}  // namespace millrace::bench

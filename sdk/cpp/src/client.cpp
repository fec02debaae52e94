#include "millrace/client/client.hpp"

#include "transport.hpp"

namespace millrace::client {

Client::Client(ClientOptions options)
    : transport_(std::make_unique<Transport>(std::move(options))) {}

Client::~Client() = default;

void Client::interrupt() {
    transport_->interrupt();
}

Status Client::healthz() {
    return transport_->command({.target = "/healthz", .repeatable = true});
}

Status Client::readyz() {
    return transport_->command({.target = "/readyz", .repeatable = true});
}

Result<Identity> Client::whoami() {
    Result<json::Value> reply = transport_->call({.target = "/v1/whoami", .repeatable = true});
    if (!reply) return reply.error();
    return Identity(std::move(*reply));
}

}  // namespace millrace::client

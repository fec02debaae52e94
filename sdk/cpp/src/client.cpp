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

}  // namespace millrace::client

#include "api/grpc/health_talk.hpp"

#include <grpc/health/v1/health.pb.h>

namespace millrace::rpc {

namespace {

namespace wire = ::grpc::health::v1;

constexpr std::size_t kServiceNameBytesMax = 1'024;

wire::HealthCheckResponse::ServingStatus to_wire(Health::State state) {
    switch (state) {
        case Health::State::serving: return wire::HealthCheckResponse::SERVING;
        case Health::State::not_serving: return wire::HealthCheckResponse::NOT_SERVING;
        case Health::State::unknown_service: break;
    }
    return wire::HealthCheckResponse::SERVICE_UNKNOWN;
}

}  // namespace

HealthTalk::HealthTalk(Calls& calls, Stream& stream)
    : calls_(calls),
      stream_(stream),
      is_watch_(stream.head().path.ends_with("/Watch")),
      since_(calls.service().clock().now()) {
    calls_.health().watches() += is_watch_ ? 1 : 0;
}

HealthTalk::~HealthTalk() {
    calls_.health().watches() -= is_watch_ ? 1 : 0;
}

void HealthTalk::begin() {
    if (calls_.health().watches() > limits::kHealthWatchesMax) {
        return stream_.finish({.code = Code::resource_exhausted,
                               .message = "Too many wait for changes of this server's health."});
    }
    stream_.read_on();
}

void HealthTalk::on_message(std::string message) {
    if (service_) return;
    wire::HealthCheckRequest request;
    if (message.size() > kServiceNameBytesMax || !request.ParseFromString(message)) {
        return stream_.finish(
            {.code = Code::invalid_argument, .message = "Expected the name of a service."});
    }
    service_ = request.service();
    const Health::State state = calls_.health().state(*service_);
    if (!is_watch_ && state == Health::State::unknown_service) {
        return stream_.finish({.code = Code::not_found, .message = "There is no such service."});
    }
    tell(state);
    if (!is_watch_) stream_.finish({});
}

void HealthTalk::on_half_closed() {
    if (service_) return;
    stream_.finish(
        {.code = Code::invalid_argument, .message = "Expected a message, but there was none."});
}

void HealthTalk::on_tick(Instant now) {
    if (!service_) {
        if (now - since_ <= limits::kHttpReadTimeout) return;
        return stream_.finish(
            {.code = Code::deadline_exceeded, .message = "The message did not come in time."});
    }
    const Health::State state = calls_.health().state(*service_);
    if (state != told_ && !stream_.has_unsent()) tell(state);
}

void HealthTalk::tell(Health::State state) {
    told_ = state;
    wire::HealthCheckResponse response;
    response.set_status(to_wire(state));
    stream_.send(response.SerializeAsString());
}

}  // namespace millrace::rpc

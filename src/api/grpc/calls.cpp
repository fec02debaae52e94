#include "api/grpc/calls.hpp"

#include <set>

#include "api/grpc/call.hpp"
#include "api/grpc/health_talk.hpp"
#include "api/grpc/reflection_talk.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

constexpr std::size_t kNameShownMax = 200;

// An rpc is open when what it asks for is. What a message without anything in it asks for tells:
// nothing that is open has parameters in its path.
bool is_open_to_all(const http::Service& service, const Method& method) {
    const Result<RestCall> call = method.to_call({});
    return call && service.is_open(call->method, call->path);
}

// The services of these methods, and gRPC's own.
std::vector<std::string> services_of(const Methods& methods) {
    std::set<std::string> names(std::begin(kReflectionServices), std::end(kReflectionServices));
    names.emplace(kHealthService);
    for (const auto& method : methods) {
        names.insert(method->name().substr(1, method->name().find('/', 1) - 1));
    }
    return {names.begin(), names.end()};
}

// Of a call that nobody serves.
class RefusedTalk final : public Talk {
public:
    RefusedTalk(Stream& stream, CallStatus status) : stream_(stream), status_(std::move(status)) {}
    void begin() override { stream_.finish(status_); }
    void on_message(std::string) override {}
    void on_half_closed() override {}
    void on_bad_message(const CallStatus&) override {}
    void on_drain() override {}
    void on_tick(Instant) override {}
    void on_gone() override {}

private:
    Stream& stream_;
    const CallStatus status_;
};

std::optional<CallStatus> flaw_of(const CallHead& head) {
    if (head.bytes > limits::kHeaderBytesMax) {
        return CallStatus{.code = Code::resource_exhausted,
                          .message = "The metadata have more than " +
                                     std::to_string(limits::kHeaderBytesMax) + " bytes."};
    }
    if (head.http_method != "POST" || !head.content_type.starts_with("application/grpc")) {
        return CallStatus{.code = Code::internal,
                          .message = "Expected POST with the content-type application/grpc."};
    }
    return std::nullopt;
}

}  // namespace

Served::Served(const Method& served, observe::Metrics& all_metrics, bool is_open_to_all)
    : method(served),
      name(served.name().substr(1)),
      is_open(is_open_to_all),
      metrics(all_metrics, name) {}

Calls::Calls(http::Service& service, observe::Metrics& metrics, const Methods& methods)
    : service_(service),
      services_(services_of(methods)),
      health_(services_),
      reflection_(services_),
      unknown_(metrics, "unmatched"),
      open_(metrics.grpc_calls) {
    for (const auto& method : methods) {
        const bool is_open = is_open_to_all(service, *method);
        const bool is_new = served_.try_emplace(method->name(), *method, metrics, is_open).second;
        MILLRACE_CHECK(is_new);
    }
}

std::shared_ptr<Talk> Calls::new_talk(Stream& stream) {
    const CallHead& head = stream.head();
    if (auto flaw = flaw_of(head)) return std::make_shared<RefusedTalk>(stream, std::move(*flaw));
    if (const auto found = served_.find(head.path); found != served_.end()) {
        return std::make_shared<Call>(*this, found->second, stream);
    }
    if (is_reflection(head.path)) return std::make_shared<ReflectionTalk>(*this, stream);
    if (is_health(head.path)) return std::make_shared<HealthTalk>(*this, stream);
    unknown_.record(Code::unimplemented, Duration::zero());
    return std::make_shared<RefusedTalk>(
        stream,
        CallStatus{.code = Code::unimplemented,
                   .message = "There is no rpc " + head.path.substr(0, kNameShownMax) + " here."});
}

}  // namespace millrace::rpc

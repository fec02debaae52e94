#include "api/http/request_span.hpp"

#include <algorithm>

namespace millrace::http {

// Names of attributes are those of OpenTelemetry's semantic conventions for HTTP spans.
observe::Span request_span(const Trail& trail, int status, Instant ended_at) {
    const bool is_routed = trail.route != kUnmatchedRoute;
    // A request that could not be read has none.
    const std::string method = trail.method.empty() ? "_OTHER" : trail.method;
    observe::Span span{
        .context = trail.trace,
        .parent_span_id = trail.parent_span_id,
        .name = is_routed ? trail.method + " " + std::string(trail.route) : "HTTP",
        .kind = observe::SpanKind::server,
        .started_at = trail.started_at,
        .ended_at = ended_at,
        // What a client got wrong is no failure of the server.
        .status = status >= 500 ? observe::SpanStatus::error : observe::SpanStatus::unset,
        .attributes = {{"http.request.method", method},
                       {"http.response.status_code", std::int64_t{status}},
                       {"client.address", trail.remote_address},
                       {"millrace.request.id", trail.request_id}},
    };
    if (is_routed) span.attributes.push_back({"http.route", std::string(trail.route)});
    if (!trail.workspace.empty()) {
        span.attributes.push_back({"millrace.workspace.id", trail.workspace});
    }
    return span;
}

// Names of attributes are those of OpenTelemetry's semantic conventions for gRPC spans.
observe::Span rpc_span(const Trail& trail, const RpcEnd& end, Instant ended_at) {
    const std::string_view service = trail.rpc.substr(0, trail.rpc.find('/'));
    const std::string_view method =
        trail.rpc.substr(std::min(service.size() + 1, trail.rpc.size()));
    observe::Span span{
        .context = trail.trace,
        .parent_span_id = trail.parent_span_id,
        .name = std::string(trail.rpc),
        .kind = observe::SpanKind::server,
        .started_at = trail.started_at,
        .ended_at = ended_at,
        .status = end.status >= 500 ? observe::SpanStatus::error : observe::SpanStatus::unset,
        .attributes = {{"rpc.system", "grpc"},
                       {"rpc.service", std::string(service)},
                       {"rpc.method", std::string(method)},
                       {"rpc.response.status_code", std::string(end.code)},
                       {"client.address", trail.remote_address},
                       {"millrace.request.id", trail.request_id}},
    };
    if (!trail.workspace.empty()) {
        span.attributes.push_back({"millrace.workspace.id", trail.workspace});
    }
    return span;
}

}  // namespace millrace::http

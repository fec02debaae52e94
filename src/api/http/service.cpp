#include "api/http/service.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "api/http/error_response.hpp"
#include "api/http/origin.hpp"
#include "api/http/request_span.hpp"
#include "base/nearest_word.hpp"
#include "base/text.hpp"
#include "core/access/principal.hpp"

namespace millrace::http {

namespace {

constexpr std::size_t kNameBytesMax = 128;

bool is_plain_name(std::string_view id) {
    const auto is_plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '_' || c == '.';
    };
    return !id.empty() && id.size() <= kNameBytesMax && std::ranges::all_of(id, is_plain);
}

// 15 digits: as many as a string holds without allocating.
std::string made_request_id(std::uint64_t random) {
    std::string id(15, '0');
    for (char& digit : id) {
        digit = "0123456789abcdef"[random & 15];
        random >>= 4;
    }
    return id;
}

bool is_preflight(const HttpRequest& request) {
    return request.method == "OPTIONS" && request.headers.find("Origin") &&
           request.headers.find("Access-Control-Request-Method");
}

HttpResponse preflight_response() {
    return {
        .status = 200,
        .headers = {{"Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE, OPTIONS"},
                    {"Access-Control-Allow-Headers",
                     "Accept, Authorization, Content-Type, Idempotency-Key, Last-Event-ID, "
                     "Millrace-Workspace, Traceparent, X-Request-Id"},
                    {"Access-Control-Max-Age", "300"}},
    };
}

HttpResponse no_path_response(const std::string& path, std::string_view request_id) {
    const Error error{ErrorCode::not_found, "There is nothing at " + shown_word(path) +
                                                "; GET / and GET /openapi.json say what there is."};
    return error_response(error, request_id);
}

// The principal is known by now, where anybody is asked for a key.
std::string client_of(const HttpRequest& request) {
    return request.principal ? "key " + request.principal->key_id : request.remote_address;
}

HttpResponse no_method_response(const HttpRequest& request,
                                const std::vector<std::string>& methods) {
    const std::string reason = "This path does not take " + shown_word(request.method) +
                               "; it takes " + joined(methods, ", ") + ".";
    HttpResponse response =
        error_response(WireError{405, "method-not-allowed"}, reason, request.request_id);
    for (const std::string& method : methods) response.headers.emplace_back("Allow", method);
    return response;
}

}  // namespace

Service::Service(const Router& router, observe::Metrics& metrics, observe::Log& log,
                 const Clock& clock, Random& random, ServiceConfig config)
    : router_(router),
      answer_log_(log),
      clock_(clock),
      random_(random),
      config_(config),
      unmatched_(metrics, "any", std::string(kUnmatchedRoute)),
      bodies_(std::make_shared<BodyBudget>(config.bodies_bytes_max)) {}

Trail Service::begin(HttpRequest& request) {
    const auto sent = request.headers.find("X-Request-Id");
    request.request_id =
        sent && is_plain_name(*sent) ? std::string(*sent) : made_request_id(random_.next());
    Trail trail{
        .request_id = request.request_id,
        .started_at = clock_.now(),
        .metrics = &unmatched_,
        .is_head = request.method == "HEAD",
        .method = request.method,
        .remote_address = request.remote_address,
    };
    find_place_in_trace(request, trail);
    const auto origin = request.headers.find("Origin");
    if (!origin) return trail;
    const std::string_view host = request.headers.find("Host").value_or("");
    if (is_loopback_origin(*origin) || is_same_origin(*origin, host)) {
        trail.allowed_origin = *origin;
    }
    return trail;
}

void Service::find_place_in_trace(const HttpRequest& request, Trail& trail) const {
    std::optional<TraceContext> parent;
    if (const auto sent = request.headers.find("traceparent")) parent = parse_trace_parent(*sent);
    if (config_.tracer == nullptr) {
        trail.trace = parent.value_or(TraceContext{});
        return;
    }
    trail.trace = config_.tracer->follow(parent);
    if (!trail.trace.is_recorded) return;
    if (parent) trail.parent_span_id = parent->span_id;
    const auto workspace = request.headers.find("Millrace-Workspace");
    if (workspace && is_plain_name(*workspace)) trail.workspace = *workspace;
}

void Service::admit_body(HttpRequest head, Trail& trail, const Responder& respond, BodyPass pass) {
    const Route* route = find_route(head, trail, respond);
    if (route == nullptr) return;
    if (config_.gate == nullptr) return pass(client_of(head));
    if (route->access == Access::open) {
        const Error error{ErrorCode::too_large, "Bodies of more than " +
                                                    std::to_string(limits::kBodyUnaskedBytesMax) +
                                                    " bytes are not read here."};
        return respond(error_response(error, trail.request_id));
    }
    auto admitted = [pass = std::move(pass)](const HttpRequest& known) {
        pass(client_of(known));
    };
    config_.gate->admit(std::move(head), route->access, respond, std::move(admitted));
}

void Service::admit_caller(HttpRequest head, const Trail& trail, const Responder& respond,
                           CallerPass pass) {
    if (is_refused(head, trail, respond)) return;
    if (config_.gate == nullptr) {
        std::string client = client_of(head);
        return pass(std::move(head), std::move(client));
    }
    auto admitted = [pass = std::move(pass)](HttpRequest known) {
        std::string client = client_of(known);
        pass(std::move(known), std::move(client));
    };
    config_.gate->admit(std::move(head), Access::known, respond, std::move(admitted));
}

bool Service::is_open(std::string_view method, std::string_view path) const {
    const Router::Match match = router_.find(method, path);
    return match.outcome == Router::Outcome::found && match.route->access == Access::open;
}

void Service::handle(HttpRequest request, Trail& trail, const Responder& respond) {
    const Route* route = find_route(request, trail, respond);
    if (route != nullptr) admit(*route, std::move(request), respond);
}

Instant Service::end(const Trail& trail, int status, std::string_view trouble) {
    const Instant now = clock_.now();
    const Duration duration = now - trail.started_at;
    trail.metrics->record(status, duration);
    answer_log_.note({.request_id = trail.request_id,
                      .method = trail.method,
                      .route = trail.route,
                      .remote_address = trail.remote_address,
                      .status = status,
                      .duration = duration,
                      .trace = trail.trace,
                      .trouble = trouble},
                     now);
    if (trail.trace.is_recorded) config_.tracer->take(request_span(trail, status, now));
    return now;
}

Instant Service::end_rpc(const Trail& trail, const RpcEnd& end) {
    const Instant now = clock_.now();
    answer_log_.note({.request_id = trail.request_id,
                      .remote_address = trail.remote_address,
                      .status = end.status,
                      .rpc = trail.rpc,
                      .code = end.code,
                      .duration = now - trail.started_at,
                      .trace = trail.trace,
                      .trouble = end.trouble},
                     now);
    if (trail.trace.is_recorded) config_.tracer->take(rpc_span(trail, end, now));
    return now;
}

bool Service::is_refused(const HttpRequest& request, const Trail& trail,
                         const Responder& respond) const {
    const std::string_view host = request.headers.find("Host").value_or("localhost");
    const bool is_foreign_host = config_.is_loopback_only && !is_loopback_host(host);
    const bool is_foreign_page =
        request.headers.count("Origin") > (trail.allowed_origin.empty() ? 0u : 1u);
    if (!is_foreign_host && !is_foreign_page) return false;

    const Error error{
        ErrorCode::permission_denied,
        is_foreign_host
            ? "Expected a Host that names this machine, because this server is for it alone."
            : "Expected a page of this machine, but the Origin is another one.",
    };
    respond(error_response(error, trail.request_id));
    return true;
}

const Route* Service::find_route(HttpRequest& request, Trail& trail,
                                 const Responder& respond) const {
    if (is_refused(request, trail, respond)) return nullptr;
    if (is_preflight(request)) {
        respond(preflight_response());
        return nullptr;
    }
    Router::Match match = router_.find(request.method, request.path);
    switch (match.outcome) {
        case Router::Outcome::found:
            trail.metrics = match.route->metrics;
            request.path_parameters = std::move(match.path_parameters);
            trail.route = match.route->pattern;
            return match.route;
        case Router::Outcome::no_path:
            respond(no_path_response(request.path, trail.request_id));
            break;
        case Router::Outcome::no_method: respond(no_method_response(request, match.methods)); break;
        case Router::Outcome::bad_encoding: {
            const Error error{ErrorCode::invalid_argument, "The path is badly percent-encoded."};
            respond(error_response(error, trail.request_id));
        }
    }
    return nullptr;
}

void Service::admit(const Route& route, HttpRequest request, const Responder& respond) {
    if (config_.gate == nullptr || route.access == Access::open) {
        return run(route, std::move(request), respond);
    }
    if (request.principal != nullptr) {
        const Principal& principal = *request.principal;
        if (may(principal.role, route.access)) return run(route, std::move(request), respond);
        return respond(error_response(no_right(principal), respond.request_id()));
    }
    auto pass = [this, &route, respond](HttpRequest admitted) {
        run(route, std::move(admitted), respond);
    };
    config_.gate->admit(std::move(request), route.access, respond, std::move(pass));
}

void Service::run(const Route& route, HttpRequest request, const Responder& respond) {
    if (const auto error = query_error(request.query, route.inputs)) {
        return respond(error_response(*error, respond.request_id()));
    }
    request.unknown_fields = route.inputs.unknown_fields;
    try {
        route.handler(std::move(request), respond);
    } catch (const std::bad_alloc&) {
        std::terminate();
    } catch (const std::exception& problem) {
        const Error error{ErrorCode::internal, std::string("A handler threw: ") + problem.what()};
        respond(error_response(error, respond.request_id()));
    }
}

}  // namespace millrace::http

#pragma once

#include <string>

#include "api/http/answer_log.hpp"
#include "api/http/body_budget.hpp"
#include "api/http/exchange.hpp"
#include "api/http/gate.hpp"
#include "api/http/response_writer.hpp"
#include "api/http/router.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "base/trace_context.hpp"
#include "observe/log.hpp"
#include "observe/tracer.hpp"

namespace millrace::http {

inline constexpr std::string_view kUnmatchedRoute = "unmatched";

// What is kept of a request until it is answered.
struct Trail {
    std::string request_id{};
    std::string allowed_origin{};  // Of the page that asked, when it may read the answer.
    Instant started_at{};
    RouteMetrics* metrics = nullptr;
    bool is_head = false;
    TraceContext trace{};              // Of the request; absent for none.
    std::uint64_t parent_span_id = 0;  // Of the client, when its own span is recorded.
    // For the log and for spans.
    std::string method{};
    std::string remote_address{};
    std::string workspace{};                   // As the client names it; only filled for a span.
    std::string_view route = kUnmatchedRoute;  // The pattern.
    std::string_view rpc{};                    // "package.Service/Rpc", of a request by gRPC.
};

// How a request by gRPC ended.
struct RpcEnd {
    std::string_view code{};  // Of gRPC: NOT_FOUND.
    int status = 200;         // The nearest one of HTTP.
    std::string_view trouble{};
};

struct ServiceConfig {
    // Without authentication whoever reaches the port may do everything, so a server for this
    // machine alone must not be reached through a browser: Host has to name this machine.
    bool is_loopback_only = true;
    // Null: whoever comes may do everything.
    Gate* gate = nullptr;
    // Null: no spans are made, and what clients send of a trace is handed on.
    const observe::Tracer* tracer = nullptr;
    std::size_t bodies_bytes_max = limits::kBodiesBytesMax;
};

// From a request to its handler: request ids, checks against other people's web pages, routes,
// errors in our shape, metrics. Knows no socket. Thread-safe.
class Service {
public:
    // The router is not changed any more.
    Service(const Router& router, observe::Metrics& metrics, observe::Log& log, const Clock& clock,
            Random& random, ServiceConfig config = {});

    const Clock& clock() const { return clock_; }

    // Gives the request its id, so that whoever makes the Responder knows it, and its place in a
    // trace.
    Trail begin(HttpRequest& request);

    // Whether the body of this request may come, of which only the header is here: either answers
    // it or calls `pass` with the name of its client in the budget of bodies; once, now or later,
    // on any thread. The whole request is still examined when it is handled.
    using BodyPass = std::function<void(std::string client)>;
    void admit_body(HttpRequest head, Trail& trail, const Responder& respond, BodyPass pass);

    // The same of a request whose message will tell what it asks for: its client must be allowed to
    // ask anything at all. The head comes back with its principal, with which handle() asks only
    // for the right of its route.
    using CallerPass = std::function<void(HttpRequest head, std::string client)>;
    void admit_caller(HttpRequest head, const Trail& trail, const Responder& respond,
                      CallerPass pass);
    // Whether everybody may ask for that.
    bool is_open(std::string_view method, std::string_view path) const;

    // Of the bodies that are let in.
    const std::shared_ptr<BodyBudget>& bodies() const { return bodies_; }

    // Answers, now or later. Never throws.
    void handle(HttpRequest request, Trail& trail, const Responder& respond);

    // Counts the answer and logs it, with what kept the server from doing as asked. Returns the
    // time it was given.
    Instant end(const Trail& trail, int status, std::string_view trouble = {});
    // The same for a request by gRPC, which has metrics of its own.
    Instant end_rpc(const Trail& trail, const RpcEnd& end);

private:
    bool is_refused(const HttpRequest& request, const Trail& trail, const Responder& respond) const;
    // Null when it was answered already.
    const Route* find_route(HttpRequest& request, Trail& trail, const Responder& respond) const;
    void admit(const Route& route, HttpRequest request, const Responder& respond);
    void run(const Route& route, HttpRequest request, const Responder& respond);
    void find_place_in_trace(const HttpRequest& request, Trail& trail) const;

    const Router& router_;
    AnswerLog answer_log_;
    const Clock& clock_;
    Random& random_;
    ServiceConfig config_;
    RouteMetrics unmatched_;
    const std::shared_ptr<BodyBudget> bodies_;
};

}  // namespace millrace::http

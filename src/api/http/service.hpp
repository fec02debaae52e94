#pragma once

#include <string>

#include "api/http/exchange.hpp"
#include "api/http/gate.hpp"
#include "api/http/response_writer.hpp"
#include "api/http/router.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "observe/log.hpp"

namespace millrace::http {

// What is kept of a request until it is answered.
struct Trail {
    std::string request_id{};
    std::string allowed_origin{};  // Of the page that asked, when it may read the answer.
    Instant started_at{};
    RouteMetrics* metrics = nullptr;
    bool is_head = false;
    std::string trace_id{};  // Empty when the client sent none.
    // For the log, and filled only when it is that talkative.
    std::string method{};
    std::string remote_address{};
    std::string_view route = "unmatched";  // The pattern.
};

struct ServiceConfig {
    // Without authentication whoever reaches the port may do everything, so a server for this
    // machine alone must not be reached through a browser: Host has to name this machine.
    bool is_loopback_only = true;
    // Null: whoever comes may do everything.
    Gate* gate = nullptr;
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

    // Answers, now or later. Never throws.
    void handle(HttpRequest request, Trail& trail, const Responder& respond);

    // Counts the answer. Returns the time it was given.
    Instant end(const Trail& trail, int status);

private:
    bool is_refused(const HttpRequest& request, const Trail& trail, const Responder& respond) const;
    void route(HttpRequest request, Trail& trail, const Responder& respond);
    void admit(const Route& route, HttpRequest request, const Trail& trail,
               const Responder& respond);
    void run(const Route& route, HttpRequest request, std::string_view trace_id,
             const Responder& respond);
    void log_answer(const Trail& trail, int status, Duration duration);

    const Router& router_;
    observe::Log& log_;
    const Clock& clock_;
    Random& random_;
    ServiceConfig config_;
    RouteMetrics unmatched_;
};

}  // namespace millrace::http

#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/exchange.hpp"
#include "core/access/policy.hpp"
#include "observe/metrics.hpp"

namespace millrace::http {

// The duration of requests by status, with the series kept at hand.
class RouteMetrics {
public:
    RouteMetrics(observe::Metrics& metrics, std::string method, std::string path)
        : metrics_(metrics), method_(std::move(method)), path_(std::move(path)) {}

    void record(int status, Duration duration);

private:
    static constexpr int kStatusMin = 100;
    static constexpr int kStatusMax = 599;

    observe::Metrics& metrics_;
    std::string method_;
    std::string path_;
    std::array<std::atomic<observe::Histogram*>, kStatusMax - kStatusMin + 1> by_status_{};
};

struct Route {
    std::string method{};
    std::string pattern{};  // `/v1/jobs/{id}/complete`
    Access access = Access::administer;
    Handler handler{};
    RouteInputs inputs{};
    RouteMetrics* metrics = nullptr;
};

// Finds the handler of a request. Filled before the server starts, only read afterwards.
class Router {
public:
    explicit Router(observe::Metrics& metrics) : metrics_(metrics) {}

    // Of two patterns that match a path, the one with more fixed segments wins. A pattern may come
    // with several methods, but not twice with one. There is no default for what a route asks of
    // its callers, so that none can forget to.
    void add(std::string method, std::string pattern, Access access, Handler handler,
             RouteInputs inputs = {});

    // Takes every request that no pattern matches, whatever its method and query. `name` is for
    // metrics.
    void add_fallback(std::string name, Access access, Handler handler);

    enum class Outcome { found, no_path, no_method, bad_encoding };
    struct Match {
        Outcome outcome = Outcome::no_path;
        const Route* route = nullptr;
        std::vector<std::pair<std::string_view, std::string>> path_parameters{};
        std::vector<std::string> methods{};  // Those that the path has, when it lacks this one.
    };

    // Segments are compared and given out percent-decoded; nothing else is normalised, so a path
    // with a slash more is another path.
    Match find(std::string_view method, std::string_view path) const;

    // In the order in which they were added.
    const std::deque<Route>& routes() const { return routes_; }

private:
    // One path with all its methods.
    struct Entry {
        std::vector<std::string> segments{};  // `{id}` for a parameter.
        std::vector<const Route*> routes{};
    };

    Route& new_route(std::string method, std::string pattern, Access access, Handler handler,
                     RouteInputs inputs);
    const Entry* match(const std::vector<std::string>& segments) const;

    observe::Metrics& metrics_;
    std::deque<Route> routes_{};  // Never moves: entries point into it.
    std::deque<RouteMetrics> route_metrics_{};
    std::deque<Entry> entries_{};
    const Route* fallback_ = nullptr;
};

}  // namespace millrace::http

#include "api/http/router.hpp"

#include <algorithm>

#include "api/http/url.hpp"
#include "base/check.hpp"

namespace millrace::http {

namespace {

bool is_parameter(std::string_view segment) {
    return segment.starts_with('{');
}

// `/v1/jobs/` is "v1", "jobs", "". Empty when the path is badly encoded.
std::vector<std::string> segments_of(std::string_view path) {
    std::vector<std::string> segments;
    segments.reserve(6);
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view segment = path.substr(0, end);
        if (segment.find('%') == std::string_view::npos) {
            segments.emplace_back(segment);
        } else if (auto decoded = percent_decoded(segment)) {
            segments.push_back(std::move(*decoded));
        } else {
            return {};
        }
        path.remove_prefix(end);
    }
    return segments;
}

bool matches(const std::vector<std::string>& pattern, const std::vector<std::string>& segments) {
    return std::ranges::equal(pattern, segments, [](const auto& part, const auto& segment) {
        return is_parameter(part) ? !segment.empty() : part == segment;
    });
}

}  // namespace

void RouteMetrics::record(int status, Duration duration) {
    MILLRACE_CHECK(status >= kStatusMin && status <= kStatusMax);
    auto& kept = by_status_[static_cast<std::size_t>(status - kStatusMin)];
    observe::Histogram* histogram = kept.load(std::memory_order_acquire);
    if (histogram == nullptr) {
        histogram = &metrics_.http_requests(method_, path_, status);
        kept.store(histogram, std::memory_order_release);
    }
    histogram->record(duration);
}

void Router::add(std::string method, std::string pattern, Access access, Handler handler,
                 RouteInputs inputs) {
    const Route& route = new_route(std::move(method), std::move(pattern), access,
                                   std::move(handler), std::move(inputs));
    std::vector<std::string> segments = segments_of(route.pattern);
    const auto same = std::ranges::find(entries_, segments, &Entry::segments);
    Entry& entry = same != entries_.end() ? *same : entries_.emplace_back();
    MILLRACE_CHECK(std::ranges::none_of(
        entry.routes, [&](const Route* other) { return other->method == route.method; }));
    entry.segments = std::move(segments);
    entry.routes.push_back(&route);

    // Fixed segments first, so that the first match is the right one.
    std::ranges::stable_sort(entries_, {}, [](const Entry& each) {
        return std::ranges::count_if(each.segments, is_parameter);
    });
}

void Router::add_fallback(std::string name, Access access, Handler handler) {
    fallback_ =
        &new_route("any", std::move(name), access, std::move(handler), {.takes_any_query = true});
}

Router::Match Router::find(std::string_view method, std::string_view path) const {
    std::vector<std::string> segments = segments_of(path);
    if (segments.empty()) return {.outcome = Outcome::bad_encoding};
    const Entry* entry = match(segments);
    if (entry == nullptr) {
        return {.outcome = fallback_ != nullptr ? Outcome::found : Outcome::no_path,
                .route = fallback_};
    }

    const auto route = std::ranges::find(entry->routes, method, &Route::method);
    if (route == entry->routes.end()) {
        Match refused{.outcome = Outcome::no_method};
        for (const Route* other : entry->routes) refused.methods.push_back(other->method);
        return refused;
    }
    Match found{.outcome = Outcome::found, .route = *route};
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string_view part = entry->segments[i];
        if (!is_parameter(part)) continue;
        found.path_parameters.emplace_back(part.substr(1, part.size() - 2), std::move(segments[i]));
    }
    return found;
}

Route& Router::new_route(std::string method, std::string pattern, Access access, Handler handler,
                         RouteInputs inputs) {
    RouteMetrics& metrics = route_metrics_.emplace_back(metrics_, method, pattern);
    return routes_.emplace_back(Route{
        .method = std::move(method),
        .pattern = std::move(pattern),
        .access = access,
        .handler = std::move(handler),
        .inputs = std::move(inputs),
        .metrics = &metrics,
    });
}

const Router::Entry* Router::match(const std::vector<std::string>& segments) const {
    for (const Entry& entry : entries_) {
        if (entry.segments.size() == segments.size() && matches(entry.segments, segments)) {
            return &entry;
        }
    }
    return nullptr;
}

}  // namespace millrace::http

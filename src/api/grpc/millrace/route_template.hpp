#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace::rpc {

// A route as the option of an rpc names it: `POST /v1/instances/{id}/cancel`.
struct RouteTemplate {
    struct Segment {
        std::string text{};  // What stands there, or the name of the field that fills it.
        bool is_field = false;
    };

    std::string method{};
    std::vector<Segment> segments{};

    // GET and DELETE have no body: what they say is in the query.
    bool has_body() const { return method != "GET" && method != "DELETE"; }
    // Whether the router would take a path of this route, filled with these texts in order, for the
    // other one: `/v1/dead-letters/{id}` filled with `groups`.
    bool is_hidden_by(const RouteTemplate& other, const std::vector<std::string>& filled) const;
};

RouteTemplate parse_route(std::string_view route);

}  // namespace millrace::rpc

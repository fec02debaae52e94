#include "api/grpc/millrace/route_template.hpp"

#include "base/check.hpp"

namespace millrace::rpc {

bool RouteTemplate::is_hidden_by(const RouteTemplate& other,
                                 const std::vector<std::string>& filled) const {
    if (other.segments.size() != segments.size()) return false;
    bool has_more_fixed = false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string& mine = segments[i].is_field ? filled[next++] : segments[i].text;
        const Segment& its = other.segments[i];
        if (!its.is_field && its.text != mine) return false;
        has_more_fixed = has_more_fixed || (segments[i].is_field && !its.is_field);
    }
    return has_more_fixed;
}

RouteTemplate parse_route(std::string_view route) {
    const std::size_t space = route.find(' ');
    MILLRACE_CHECK(space != std::string_view::npos && route.substr(space + 1).starts_with('/'));
    RouteTemplate parsed{.method = std::string(route.substr(0, space))};
    std::string_view path = route.substr(space + 2);
    while (true) {
        const std::size_t slash = path.find('/');
        const std::string_view segment = path.substr(0, slash);
        const bool is_field = segment.starts_with('{') && segment.ends_with('}');
        const std::string_view text = is_field ? segment.substr(1, segment.size() - 2) : segment;
        parsed.segments.push_back({std::string(text), is_field});
        if (slash == std::string_view::npos) return parsed;
        path.remove_prefix(slash + 1);
    }
}

}  // namespace millrace::rpc

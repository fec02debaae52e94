#include "api/http/route_inputs.hpp"

#include <algorithm>

#include "api/http/url.hpp"
#include "base/nearest_word.hpp"

namespace millrace::http {

namespace {

Error refused_parameter(std::string_view name, std::string reason) {
    return {ErrorCode::invalid_argument, reason, {{shown_word(name), reason}}};
}

}  // namespace

std::optional<Error> query_error(std::string_view query, const RouteInputs& inputs) {
    if (query.empty() || inputs.takes_any_query) return std::nullopt;
    std::vector<std::string> seen;
    for (std::string& name : query_names(query)) {
        if (std::ranges::find(inputs.query, name) == inputs.query.end()) {
            return refused_parameter(name, no_such_word("query parameter", name, inputs.query));
        }
        if (std::ranges::find(seen, name) != seen.end()) {
            return refused_parameter(name, "The query parameter `" + name +
                                               "` is given more than once; it is taken once.");
        }
        seen.push_back(std::move(name));
    }
    return std::nullopt;
}

}  // namespace millrace::http

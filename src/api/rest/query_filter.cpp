#include "api/rest/query_filter.hpp"

#include <algorithm>

#include "api/http/url.hpp"
#include "base/nearest_word.hpp"

namespace millrace::rest {

Error must_be(std::string_view name, std::string_view expected) {
    const std::string reason = std::string(name) + " must be " + std::string(expected);
    return {ErrorCode::invalid_argument, reason, {{std::string(name), reason}}};
}

Error no_such_value(std::string_view name, std::string_view given,
                    const std::vector<std::string_view>& words) {
    const std::string reason = no_such_word(name, given, words);
    return {ErrorCode::invalid_argument, reason, {{std::string(name), reason}}};
}

std::vector<std::string_view> parts_of(std::string_view list) {
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        parts.push_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return parts;
}

std::optional<std::string> QueryFilter::text(std::string_view name) const {
    auto value = http::query_value(query_, name);
    return value && value->empty() ? std::nullopt : value;
}

std::optional<InstanceId> QueryFilter::instance_id(std::string_view name) {
    const auto given = text(name);
    if (!given) return std::nullopt;
    const std::optional<Id128> id = parse_ulid(*given);
    if (id && id->sequence() == 0) return InstanceId{*id};
    match_nothing();
    return std::nullopt;
}

}  // namespace millrace::rest

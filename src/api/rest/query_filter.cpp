#include "api/rest/query_filter.hpp"

#include "api/http/url.hpp"

namespace millrace::rest {

Error must_be(std::string_view name, std::string_view expected) {
    const std::string reason = std::string(name) + " must be " + std::string(expected);
    return {ErrorCode::invalid_argument, reason, {{std::string(name), reason}}};
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

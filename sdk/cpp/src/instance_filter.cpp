#include "instance_filter.hpp"

namespace millrace::client {

Query query_of(const InstanceFilter& filter) {
    Query query;
    query.add("definitionId", filter.definition_id);
    if (filter.definition_version) {
        query.add("definitionVersion", std::to_string(*filter.definition_version));
    }
    query.add("status", filter.statuses).add("businessKey", filter.business_key);
    query.add("startedAfter", filter.started_after).add("startedBefore", filter.started_before);
    if (filter.suspended) query.add("suspended", *filter.suspended ? "true" : "false");
    query.add("text", filter.text);
    return query;
}

json::Value json_of(const InstanceFilter& filter) {
    json::Value out = json::Object{};
    const auto add = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) out.set(name, value);
    };
    add("definitionId", filter.definition_id);
    if (filter.definition_version) out.set("definitionVersion", *filter.definition_version);
    if (!filter.statuses.empty()) {
        json::Array statuses;
        for (const std::string& status : filter.statuses) statuses.emplace_back(status);
        out.set("status", std::move(statuses));
    }
    add("businessKey", filter.business_key);
    add("startedAfter", filter.started_after);
    add("startedBefore", filter.started_before);
    if (filter.suspended) out.set("suspended", *filter.suspended);
    add("text", filter.text);
    return out;
}

}  // namespace millrace::client

#include "api/rest/instance_filter.hpp"

#include "api/rest/listing.hpp"
#include "api/rest/query_filter.hpp"
#include "api/rest/request_time.hpp"

namespace millrace::rest {

namespace {

// People search for an id as they have it, in whatever case.
std::optional<InstanceId> instance_id_in(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const std::optional<Id128> id = parse_ulid(text);
    if (!id || id->sequence() != 0) return std::nullopt;
    return InstanceId{*id};
}

class FilterReader {
public:
    explicit FilterReader(const FilterValue& value) : value_(value) {}

    std::optional<std::string> text(std::string_view name) {
        std::optional<std::string> found = value_(name);
        if (!found || found->empty()) return std::nullopt;
        return found;
    }

    std::optional<Instant> instant(std::string_view name) {
        const auto found = text(name);
        if (!found) return std::nullopt;
        const std::optional<Instant> time = request_time(*found);
        if (!time) refuse(must_be(name, "a time such as 2026-11-15T06:55:59Z"));
        return time;
    }

    std::optional<bool> flag(std::string_view name) {
        const auto found = text(name);
        if (!found) return std::nullopt;
        if (*found != "true" && *found != "false") refuse(must_be(name, "true or false"));
        return *found == "true";
    }

    std::optional<std::int32_t> version(std::string_view name) {
        const auto found = text(name);
        if (!found) return std::nullopt;
        const auto number = whole_number(*found);
        if (!number || *number < 1) refuse(must_be(name, "a whole number from 1 on"));
        return number;
    }

    void statuses(std::string_view name) {
        const std::string list = text(name).value_or("");
        for (const std::string_view part : parts_of(list)) {
            if (const auto status = parse_instance_status(part)) {
                filter.statuses.push_back(*status);
            } else {
                refuse(no_such_value(name, part, words_up_to(InstanceStatus::cancelled)));
            }
        }
    }

    InstanceFilter filter;
    std::optional<Error> error;

private:
    void refuse(Error why) {
        if (!error) error = std::move(why);
    }

    const FilterValue& value_;
};

}  // namespace

Result<InstanceFilter> parse_instance_filter(const WorkspaceId& workspace_id,
                                             const FilterValue& value) {
    FilterReader reader(value);
    InstanceFilter& filter = reader.filter;
    filter.workspace_id = workspace_id;
    filter.definition_id = reader.text("definitionId");
    filter.definition_version = reader.version("definitionVersion");
    reader.statuses("status");
    filter.business_key = reader.text("businessKey");
    filter.started_from = reader.instant("startedAfter");
    filter.started_before = reader.instant("startedBefore");
    filter.is_suspended = reader.flag("suspended");
    filter.text = reader.text("text").value_or("");
    filter.id = instance_id_in(filter.text);
    if (filter.id) filter.text.clear();
    if (reader.error) return *reader.error;
    return std::move(filter);
}

}  // namespace millrace::rest

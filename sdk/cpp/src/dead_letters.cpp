#include "base/json/write.hpp"
#include "execution_filter.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "transport.hpp"

namespace millrace::client {
namespace {

std::string dead_letter_target(std::string_view id, std::string_view rest = {}) {
    return "/v1/dead-letters/" + percent_encoded(id) + std::string(rest);
}

json::Value body_of(const SelectDeadLetters& selection) {
    json::Value body = json::Object{};
    const bool has_filter =
        !selection.definition_id.empty() || !selection.reason.empty() || selection.all;
    if (selection.ids.empty() && has_filter) {
        json::Value filter = json::Object{};
        if (!selection.definition_id.empty()) filter.set("definitionId", selection.definition_id);
        if (!selection.reason.empty()) filter.set("reason", selection.reason);
        body.set("filter", std::move(filter));
    } else {
        json::Array ids;
        for (const std::string& id : selection.ids) ids.emplace_back(id);
        body.set("ids", std::move(ids));
    }
    if (selection.limit) body.set("limit", *selection.limit);
    return body;
}

// It takes as long as there are dead letters; what is done does not match again.
Request request_for_many(std::string_view verb, const json::Value& body) {
    return {.method = "POST",
            .target = "/v1/dead-letters/" + std::string(verb),
            .body = json::write(body),
            .extra_duration = std::chrono::minutes(2)};
}

Result<Execution> as_dead_letter(Result<json::Value> reply) {
    if (!reply) return reply.error();
    return Execution(std::move(*reply));
}

Result<DeadLetterReport> as_report(Result<json::Value> reply) {
    if (!reply) return reply.error();
    return DeadLetterReport(std::move(*reply));
}

}  // namespace

Result<Page<Execution>> Client::list_dead_letters(const ListExecutions& query) {
    Result<json::Value> reply = transport_->call(
        {.target = "/v1/dead-letters" + query_of(query).text(), .repeatable = true});
    if (!reply) return reply.error();
    return page_of<Execution>(std::move(*reply));
}

Result<std::vector<DeadLetterGroup>> Client::list_dead_letter_groups(std::int32_t count_max) {
    const Query query = Query().add("pageSize", std::to_string(count_max));
    Result<json::Value> reply =
        transport_->call({.target = "/v1/dead-letters/groups" + query.text(), .repeatable = true});
    if (!reply) return reply.error();
    return items_of<DeadLetterGroup>(*reply, "items");
}

Result<Execution> Client::get_dead_letter(std::string_view id) {
    return as_dead_letter(transport_->call({.target = dead_letter_target(id), .repeatable = true}));
}

Result<Execution> Client::redrive_dead_letter(std::string_view id) {
    return as_dead_letter(transport_->call(
        {.method = "POST", .target = dead_letter_target(id, "/redrive"), .body = "{}"}));
}

Result<Execution> Client::dismiss_dead_letter(std::string_view id) {
    return as_dead_letter(transport_->call({.method = "POST",
                                            .target = dead_letter_target(id, "/dismiss"),
                                            .body = "{}",
                                            .repeatable = true}));
}

Result<DeadLetterReport> Client::redrive_dead_letters(const RedriveDeadLetters& redrive) {
    json::Value body = body_of(redrive.selection);
    if (redrive.trial) body.set("trial", *redrive.trial);
    if (redrive.rate_per_second) body.set("ratePerSecond", *redrive.rate_per_second);
    return as_report(transport_->call(request_for_many("redrive", body)));
}

Result<DeadLetterReport> Client::dismiss_dead_letters(const SelectDeadLetters& selection) {
    return as_report(transport_->call(request_for_many("dismiss", body_of(selection))));
}

Result<DeadLetterReport> Client::purge_dead_letters(const SelectDeadLetters& selection) {
    return as_report(transport_->call(request_for_many("purge", body_of(selection))));
}

}  // namespace millrace::client

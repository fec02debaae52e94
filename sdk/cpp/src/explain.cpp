#include "millrace/client/client.hpp"
#include "transport.hpp"
#include "url.hpp"

namespace millrace::client {
namespace {

std::string_view collection_of(Subject subject) {
    switch (subject) {
        case Subject::execution: return "executions/";
        case Subject::instance: return "instances/";
        case Subject::job: return "jobs/";
        case Subject::workspace: break;
    }
    return "workspaces/";
}

}  // namespace

std::vector<Document> Explanation::reasons() const {
    std::vector<Document> reasons;
    const json::Array* items = value("reasons").if_array();
    if (items == nullptr) return reasons;
    for (const json::Value& item : *items) reasons.emplace_back(item);
    return reasons;
}

Result<Explanation> Client::explain(Subject subject, std::string_view id) {
    const std::string target =
        "/v1/" + std::string(collection_of(subject)) + percent_encoded(id) + "/explain";
    Result<json::Value> reply = transport_->call({.target = target, .repeatable = true});
    if (!reply) return reply.error();
    return Explanation(std::move(*reply));
}

}  // namespace millrace::client

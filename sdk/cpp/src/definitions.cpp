#include "base/json/write.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "query.hpp"
#include "transport.hpp"

namespace millrace::client {

Result<DefinitionSummary> Client::upload_definition(const json::Value& definition) {
    // The same content again is the same version, so a second upload does no harm.
    Result<json::Value> reply = transport_->call({.method = "POST",
                                                  .target = "/v1/definitions",
                                                  .body = json::write(definition),
                                                  .repeatable = true});
    if (!reply) return reply.error();
    return DefinitionSummary(std::move(*reply));
}

Result<Page<DefinitionSummary>> Client::list_definitions(const ListDefinitions& query) {
    const Query parameters = Query().add("keyword", query.keyword).add(query.paging);
    Result<json::Value> reply =
        transport_->call({.target = "/v1/definitions" + parameters.text(), .repeatable = true});
    if (!reply) return reply.error();
    return page_of<DefinitionSummary>(std::move(*reply));
}

Result<json::Value> Client::get_definition(std::string_view id,
                                           std::optional<std::int32_t> version) {
    std::string target = "/v1/definitions/" + percent_encoded(id);
    if (version) target += "/versions/" + std::to_string(*version);
    return transport_->call({.target = std::move(target), .repeatable = true});
}

Result<Page<DefinitionSummary>> Client::list_definition_versions(std::string_view id,
                                                                 const Paging& paging) {
    const Query parameters = Query().add(paging);
    Result<json::Value> reply = transport_->call(
        {.target = "/v1/definitions/" + percent_encoded(id) + "/versions" + parameters.text(),
         .repeatable = true});
    if (!reply) return reply.error();
    return page_of<DefinitionSummary>(std::move(*reply));
}

}  // namespace millrace::client

#include "api/grpc/workflow/definition_json.hpp"
#include "api/grpc/workflow/messages.hpp"
#include "api/grpc/workflow/methods.hpp"
#include "api/grpc/workflow/workflow_method.hpp"
#include "api/http/url.hpp"
#include "base/json/write.hpp"

namespace millrace::rpc {

namespace {

class UploadDefinition final
    : public WorkflowMethod<wire::UploadDefinitionRequest, wire::UploadDefinitionResponse> {
public:
    UploadDefinition() : WorkflowMethod("UploadDefinition") {}

private:
    Result<RestCall> call_of(const wire::UploadDefinitionRequest& request) const override {
        if (!request.has_definition()) {
            return Error{ErrorCode::invalid_argument,
                         "definition is required",
                         {{"definition", "definition is required"}}};
        }
        const Result<json::Value> definition = definition_json(request.definition());
        if (!definition) return definition.error();
        return RestCall{
            .method = "POST", .path = "/v1/definitions", .body = json::write(*definition)};
    }
    Status fill_reply(wire::UploadDefinitionResponse& reply,
                      const json::Value& body) const override {
        reply.set_id(text_at(body, "id"));
        reply.set_version(number_at(body, "version"));
        if (const auto time = time_at(body, "uploadedAt")) *reply.mutable_uploaded_at() = *time;
        return ok();
    }
};

class GetDefinition final
    : public WorkflowMethod<wire::GetDefinitionRequest, wire::GetDefinitionResponse> {
public:
    GetDefinition() : WorkflowMethod("GetDefinition") {}

private:
    Result<RestCall> call_of(const wire::GetDefinitionRequest& request) const override {
        if (request.id().empty()) return Error{ErrorCode::not_found, "definition not found"};
        RestCall call{.method = "GET",
                      .path = "/v1/definitions/" + http::percent_encoded(request.id())};
        if (request.version() != 0) call.path += "/versions/" + std::to_string(request.version());
        return call;
    }
    Status fill_reply(wire::GetDefinitionResponse& reply, const json::Value& body) const override {
        return fill(*reply.mutable_definition(), body);
    }
};

class ListDefinitions final
    : public WorkflowMethod<wire::ListDefinitionsRequest, wire::ListDefinitionsResponse> {
public:
    ListDefinitions() : WorkflowMethod("ListDefinitions") {}

private:
    Result<RestCall> call_of(const wire::ListDefinitionsRequest& request) const override {
        Result<std::string> query = page_query(request.page(), request.page_size());
        if (!query) return query.error();
        RestCall call{.method = "GET", .path = "/v1/definitions", .query = std::move(*query)};
        if (!request.keyword().empty()) {
            call.query += "&keyword=" + http::percent_encoded(request.keyword());
        }
        return call;
    }
    Status fill_reply(wire::ListDefinitionsResponse& reply,
                      const json::Value& body) const override {
        reply.set_total(number_at(body, "total"));
        for (const json::Value& item : array_at(body, "items")) {
            wire::WorkflowDefinition& definition = *reply.add_definitions();
            definition.set_id(text_at(item, "id"));
            definition.set_version(number_at(item, "version"));
            definition.set_name(text_at(item, "name"));
        }
        return ok();
    }
};

}  // namespace

void add_definition_methods(Methods& methods) {
    methods.push_back(std::make_unique<UploadDefinition>());
    methods.push_back(std::make_unique<GetDefinition>());
    methods.push_back(std::make_unique<ListDefinitions>());
}

}  // namespace millrace::rpc

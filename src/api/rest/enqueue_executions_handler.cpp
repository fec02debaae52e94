#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/enqueue_calls.hpp"
#include "api/rest/execution_json.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/idempotency.hpp"
#include "api/rest/item_list.hpp"
#include "api/rest/workspace.hpp"

namespace millrace::rest {

namespace {

using Enqueue = Idempotent<Audited<EnqueueExecution>>;

std::string enqueued_members(const Enqueued& enqueued) {
    std::string members = R"("status":202,"execution":)";
    append_stored_execution(members, enqueued.stored);
    if (enqueued.is_replayed) members += R"(,"replayed":true)";
    return members;
}

Result<Enqueue> parse_enqueue_item(const Context& context, const http::HttpRequest& request,
                                   const json::Value& item, const WorkspaceId& workspace_id,
                                   const std::string& path) {
    if (const auto error = item_error(item, path)) return *error;
    BodyReader body(item, path);
    Result<std::optional<std::string>> key = item_key(body, path);
    Result<EnqueueExecution> command = parse_enqueue(body, workspace_id);
    if (!command) return command.error();
    if (!key) return key.error();
    command->key.id = execution_of(context.instance_ids.next());
    command->requested_by = requested_by(request);
    return idempotent(std::move(*key), workspace_id,
                      audited(context, request, workspace_id, std::move(*command)),
                      asked_by_enqueue);
}

// What each item asks for, or what is wrong with it.
Result<std::vector<Result<Enqueue>>> parse_enqueue_list(const Context& context,
                                                        const http::HttpRequest& request) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    const Result<const json::Array*> array = item_array(body, "executions");
    if (!array) return array.error();
    if (*array == nullptr) body.refuse("executions", "executions is required");
    if (!body.finish()) return body.error();
    std::vector<Result<Enqueue>> items;
    for (const json::Value& each : **array) {
        items.push_back(parse_enqueue_item(context, request, each, *workspace_id,
                                           item_path("executions", items.size())));
    }
    return items;
}

}  // namespace

http::Handler enqueue_executions_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<std::vector<Result<Enqueue>>> items = parse_enqueue_list(context, request);
        if (!items) return answer_error(respond, items.error());

        // Together, so that they can share a commit; each succeeds or fails alone.
        const auto results = std::make_shared<ResultList>(respond, items->size());
        std::vector<std::unique_ptr<Command>> commands;
        for (std::size_t i = 0; i < items->size(); ++i) {
            const auto finish = [results, i](const Result<Enqueued>& enqueued) {
                results->set(i, "{" +
                                    (enqueued ? enqueued_members(*enqueued)
                                              : results->error_members(enqueued.error())) +
                                    "}");
            };
            Result<Enqueue>& item = (*items)[i];
            if (!item) {
                finish(item.error());
                continue;
            }
            EnqueueExecution& command = item->request.request;
            command.trace = respond.trace();
            const EnqueueAsked asked{.key = command.key,
                                     .definition_id = command.definition_id,
                                     .input = command.input,
                                     .is_of_cluster = is_of_cluster(request)};
            commands.push_back(CommandQueue::make_command(
                std::move(*item),
                [&queries = context.queries, asked, finish](Result<Once<Execution>> done) {
                    find_enqueued(queries, asked, std::move(done), finish);
                }));
        }
        context.commands.push(std::move(commands), trace_of(context, respond));
        results->finish_if_empty();
    };
}

}  // namespace millrace::rest

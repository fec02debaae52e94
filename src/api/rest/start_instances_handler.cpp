#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/idempotency.hpp"
#include "api/rest/item_list.hpp"
#include "api/rest/start_calls.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"

namespace millrace::rest {

namespace {

using Start = Idempotent<Audited<StartInstance>>;

// Of the variables only as much is told as an answer may hold.
std::string started_members(const Started& started, ResultList& results) {
    std::string members = R"("status":201,"instance":)";
    if (results.take_room(started.instance.variables.text().size())) {
        append_instance(members, started.instance);
    } else {
        append_instance_state(members, started.instance);
        members += R"(,"variablesOmitted":true)";
    }
    if (started.is_replayed) members += R"(,"replayed":true)";
    return members;
}

Result<Start> parse_start_item(const Context& context, const http::HttpRequest& request,
                               const json::Value& item, const WorkspaceId& workspace_id,
                               const std::string& path) {
    if (const auto error = item_error(item, path)) return *error;
    BodyReader body(item, path);
    Result<std::optional<std::string>> key = item_key(body, path);
    UnreadFields unread(request);
    Result<StartInstance> command = parse_start(body, workspace_id, unread);
    if (!command) return command.error();
    if (!key) return key.error();
    command->key.id = context.instance_ids.next();
    return idempotent(std::move(*key), workspace_id,
                      audited_start(context, request, std::move(*command)), asked_by_start);
}

// What each item asks for, or what is wrong with it.
struct StartList {
    WorkspaceId workspace_id{};
    std::vector<Result<Start>> items{};
};

Result<StartList> parse_start_list(const Context& context, const http::HttpRequest& request) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    const Result<const json::Array*> array = item_array(body, "instances");
    if (!array) return array.error();
    if (*array == nullptr) body.refuse("instances", "instances is required");
    if (!body.finish()) return body.error();
    StartList list{.workspace_id = *workspace_id};
    for (const json::Value& each : **array) {
        list.items.push_back(parse_start_item(context, request, each, *workspace_id,
                                              item_path("instances", list.items.size())));
    }
    return list;
}

}  // namespace

http::Handler start_instances_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<StartList> starts = parse_start_list(context, request);
        if (!starts) return answer_error(respond, starts.error());

        // Together, so that they can share a commit; each succeeds or fails alone.
        const auto results = std::make_shared<ResultList>(respond, starts->items.size());
        std::vector<std::unique_ptr<Command>> commands;
        for (std::size_t i = 0; i < starts->items.size(); ++i) {
            const auto finish = [results, i](const Result<Started>& started) {
                results->set(i, "{" +
                                    (started ? started_members(*started, *results)
                                             : results->error_members(started.error())) +
                                    "}");
            };
            Result<Start>& item = starts->items[i];
            if (!item) {
                finish(item.error());
                continue;
            }
            item->request.request.trace = respond.trace();
            commands.push_back(CommandQueue::make_command(
                std::move(*item), [&queries = context.queries, workspace_id = starts->workspace_id,
                                   finish](Result<Once<Instance>> done) {
                    find_started(queries, workspace_id, std::move(done), finish);
                }));
        }
        context.commands.push(std::move(commands), trace_of(context, respond));
        results->finish_if_empty();
    };
}

}  // namespace millrace::rest

#include "api/http/url.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/cursor.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/wire_json.hpp"
#include "engine/get_history.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kHistoryList = "history";

http::HttpResponse history_response(const HistoryLines& history) {
    std::string body = R"({"items":[)";
    for (const StepExecution& line : history.lines) {
        if (body.back() != '[') body += ',';
        append_step_execution(body, line);
    }
    body += ']';
    if (history.has_more) {
        const std::uint32_t last = history.lines.back().key.id.value.sequence();
        body += R"(,"nextCursor":)";
        json::append_string(body, to_cursor(kHistoryList, std::to_string(last)));
    }
    body += '}';
    return json_response(200, std::move(body));
}

// The sequence number of the last line seen.
Result<std::uint32_t> history_place(const http::HttpRequest& request) {
    const auto cursor = http::query_value(request.query, "cursor");
    if (!cursor || cursor->empty()) return 0u;
    const std::optional<std::string> place = from_cursor(kHistoryList, *cursor);
    const std::optional<std::int32_t> sequence = place ? whole_number(*place) : std::nullopt;
    if (!sequence || *sequence < 0) return foreign_cursor();
    return static_cast<std::uint32_t>(*sequence);
}

}  // namespace

http::Handler get_history_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        const Result<std::uint32_t> place = history_place(request);
        if (!place) return answer_error(respond, place.error());
        GetHistory query{.key = *key};
        query.part.after = *place;
        queries.submit(query, answer_with<HistoryLines>(respond, history_response));
    };
}

}  // namespace millrace::rest

#include <charconv>

#include "api/http/url.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/event_streams.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"

namespace millrace::rest {

namespace {

// What makes no sense counts as not given: the client then gets everything.
EventPlace place_in(const http::HttpRequest& request) {
    std::string text = http::query_value(request.query, "lastEventId").value_or("");
    if (const auto sent = request.headers.find("Last-Event-ID")) text = *sent;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_sound = error == std::errc{} && end == text.data() + text.size();
    return is_sound ? EventPlace::from_number(number) : EventPlace{};
}

}  // namespace

http::Handler instance_events_handler(const Context& context) {
    return [&streams = context.event_streams](const http::HttpRequest& request,
                                              const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        streams.open(*key, place_in(request), request.principal, respond);
    };
}

}  // namespace millrace::rest

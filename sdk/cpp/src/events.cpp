#include <optional>

#include "base/json/parse.hpp"
#include "event_parser.hpp"
#include "instance_target.hpp"
#include "millrace/client/client.hpp"
#include "transport.hpp"

namespace millrace::client {
namespace {

Error bad_event(const std::string& why) {
    return {.code = "bad-reply", .message = "The stream of events cannot be read: " + why};
}

Error ended_early() {
    return {.code = "connection-lost",
            .message = "The server ended the stream of events before the instance was over."};
}

}  // namespace

Status Client::watch_instance(const WatchInstance& watch,
                              const std::function<bool(const InstanceEvent&)>& on_event) {
    std::optional<Error> failure;
    bool is_enough = false;
    bool is_over = false;
    EventParser parser([&](const ServerEvent& event) {
        millrace::Result<json::Value> data = json::parse(event.data);
        if (!data) {
            failure = bad_event(data.error().detail);
            return false;
        }
        if (event.type == "instance") is_over = Instance(*data).is_over();
        // An event without a place of its own stands where the one before it does.
        const std::string& id = event.id.empty() ? watch.last_event_id : event.id;
        is_enough = !on_event({id, event.type, Document(std::move(*data))});
        return !is_enough;
    });
    Request request{.target = instance_target(watch.instance_id, "/events"),
                    .accept = "text/event-stream",
                    .repeatable = true,
                    .sink = [&](std::string_view bytes) {
                        const bool goes_on = parser.feed(bytes);
                        if (!goes_on && !is_enough && !failure) {
                            failure = bad_event("an event is too large.");
                        }
                        return goes_on;
                    }};
    if (!watch.last_event_id.empty()) {
        request.headers.push_back({"Last-Event-ID", watch.last_event_id});
    }
    const Status status = transport_->command(request);
    if (failure) return *failure;
    if (status && !is_enough && !is_over) return ended_early();
    return status;
}

}  // namespace millrace::client

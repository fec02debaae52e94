#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace millrace::client {

// An event of a text/event-stream as it came.
struct ServerEvent {
    std::string id{};
    std::string type{};
    std::string data{};

    friend bool operator==(const ServerEvent&, const ServerEvent&) = default;
};

// Takes the bytes of an event stream in any pieces and calls back for each event. Comments and
// fields that we do not know are skipped; an event without data is none.
class EventParser {
public:
    // False ends it.
    using OnEvent = std::function<bool(const ServerEvent&)>;

    explicit EventParser(OnEvent on_event) : on_event_(std::move(on_event)) {}

    // False when the callback wants no more, or an event is larger than any server sends.
    bool feed(std::string_view bytes);

private:
    bool take_line(std::string_view line);
    void take_field(std::string_view name, std::string_view value);

    OnEvent on_event_;
    std::string unfinished_;
    ServerEvent event_;
    bool has_data_ = false;
};

}  // namespace millrace::client

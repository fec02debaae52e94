#include "event_parser.hpp"

#include <utility>

namespace millrace::client {
namespace {

constexpr std::size_t kEventBytesMax = std::size_t{64} << 20;

}  // namespace

bool EventParser::feed(std::string_view bytes) {
    unfinished_ += bytes;
    std::size_t begin = 0;
    std::size_t end = 0;
    while ((end = unfinished_.find('\n', begin)) != std::string::npos) {
        std::string_view line = std::string_view(unfinished_).substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!take_line(line)) return false;
        begin = end + 1;
    }
    unfinished_.erase(0, begin);
    return unfinished_.size() + event_.data.size() <= kEventBytesMax;
}

// An empty line ends an event.
bool EventParser::take_line(std::string_view line) {
    if (line.empty()) {
        const ServerEvent event = event_;
        event_.type.clear();
        event_.data.clear();
        return !std::exchange(has_data_, false) || on_event_(event);
    }
    const std::size_t colon = line.find(':');
    if (colon == 0) return true;
    std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    take_field(line.substr(0, colon), value);
    return true;
}

void EventParser::take_field(std::string_view name, std::string_view value) {
    if (name == "id") {
        event_.id = value;
    } else if (name == "event") {
        event_.type = value;
    } else if (name == "data") {
        if (has_data_) event_.data += '\n';
        event_.data += value;
        has_data_ = true;
    }
}

}  // namespace millrace::client

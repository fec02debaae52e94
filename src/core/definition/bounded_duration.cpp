#include "core/definition/bounded_duration.hpp"

#include <chrono>

#include "base/json/write.hpp"
#include "core/definition/iso_duration.hpp"

namespace millrace::definition {

namespace {

std::string seconds_text(Duration duration) {
    std::string text;
    json::append_number(text, std::chrono::duration<double>(duration).count());
    return text;
}

}  // namespace

Result<Duration> parse_bounded_duration(std::string_view text, Duration min, Duration max) {
    const Result<IsoDuration> duration = parse_iso_duration(text);
    if (!duration) return Error{ErrorCode::invalid_argument, "is " + duration.error().detail};
    if (duration->months != 0) {
        return Error{ErrorCode::invalid_argument, "must not have years or months"};
    }
    if (duration->exact < min || duration->exact > max) {
        return Error{ErrorCode::invalid_argument, "must be between " + seconds_text(min) + " and " +
                                                      seconds_text(max) + " seconds"};
    }
    return duration->exact;
}

}  // namespace millrace::definition

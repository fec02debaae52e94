#include <array>
#include <string>

#include "core/expression/arguments.hpp"
#include "core/expression/time_value.hpp"

namespace millrace::expression {
namespace {

// Whole seconds: what is stored of it reads as people write times.
std::optional<Value> now(Evaluation& run, Arguments arguments) {
    Time time{.at = std::chrono::floor<std::chrono::seconds>(run.now())};
    if (!arguments.empty()) {
        const auto* zone = arguments[0].get_if<Zone>();
        if (zone == nullptr) return fail_argument(run, "now", "a timezone", arguments[0]);
        time.offset = zone->offset;
    }
    return Value(time);
}

std::optional<Value> duration(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "duration", arguments[0]);
    if (!text) return std::nullopt;
    const auto span = parse_span(*text);
    if (!span) return run.fail("duration of a string that is none, such as \"1h30m\"");
    return Value(*span);
}

std::optional<Value> date(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "date", arguments[0]);
    if (!text) return std::nullopt;
    const auto time = parse_time(*text);
    if (!time) {
        return run.fail("date of a string that is neither RFC 3339 nor YYYY-MM-DD");
    }
    return Value(*time);
}

std::optional<Value> timezone(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "timezone", arguments[0]);
    if (!text) return std::nullopt;
    const auto zone = parse_zone(*text);
    if (!zone) return run.fail("timezone of a string that is neither \"UTC\" nor like \"+02:00\"");
    return Value(*zone);
}

constexpr std::array<Function, 4> kTable{{
    {"now", 0, 1, now},
    {"duration", 1, 1, duration},
    {"date", 1, 1, date},
    {"timezone", 1, 1, timezone},
}};

}  // namespace

std::span<const Function> time_functions() {
    return kTable;
}

}  // namespace millrace::expression

#include <array>
#include <string>

#include "core/expression/arguments.hpp"
#include "core/expression/time_layout.hpp"
#include "core/expression/time_value.hpp"

namespace millrace::expression {
namespace {

// Whole seconds: what is stored of it reads as people write times.
std::optional<Value> now(Evaluation& run, Arguments arguments) {
    Zone zone;
    if (!arguments.empty()) {
        const auto* given = arguments[0].get_if<Zone>();
        if (given == nullptr) return fail_argument(run, "now", "a timezone", arguments[0]);
        zone = *given;
    }
    const auto time = shown_in(std::chrono::floor<std::chrono::seconds>(run.now()), zone);
    if (!time) return run.fail(std::string(kBeyondYears));
    return Value(*time);
}

std::optional<Value> duration(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "duration", arguments[0]);
    if (!text) return std::nullopt;
    const auto span = parse_span(*text);
    if (!span) return run.fail("duration of a string that is none, such as \"1h30m\"");
    return Value(*span);
}

std::optional<Zone> zone_named(Evaluation& run, std::string_view function, const Value& value) {
    const auto text = text_argument(run, function, value);
    if (!text) return std::nullopt;
    const auto zone = parse_zone(*text);
    if (zone) return zone;
    return run.fail(std::string(function) +
                    ": the zone is neither like \"Europe/Zurich\" nor \"UTC\" nor like \"+02:00\"");
}

// Without a layout: RFC 3339 and its parts, then what mails and web pages write.
Result<Time> parse_common_time(std::string_view text) {
    constexpr std::array<std::string_view, 3> kLayouts{
        "02 Jan 06 15:04 MST", "Monday, 02-Jan-06 15:04:05 MST", "Mon, 02 Jan 2006 15:04:05 MST"};
    Result<Time> plain = parse_time(text);
    if (plain) return plain;
    for (const std::string_view layout : kLayouts) {
        if (Result<Time> time = parse_time(text, layout, Zone{})) return time;
    }
    return plain;
}

std::optional<Value> date(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "date", arguments[0]);
    if (!text) return std::nullopt;
    std::string_view layout;
    Zone zone;
    if (arguments.size() > 1) {
        const auto given = text_argument(run, "date", arguments[1]);
        if (!given || !run.spend(given->size())) return std::nullopt;
        layout = *given;
    }
    if (arguments.size() > 2) {
        const auto* value = arguments[2].get_if<Zone>();
        const auto given =
            value != nullptr ? std::optional(*value) : zone_named(run, "date", arguments[2]);
        if (!given) return std::nullopt;
        zone = *given;
    }
    const Result<Time> time =
        arguments.size() > 1 ? parse_time(*text, layout, zone) : parse_common_time(*text);
    if (!time) return run.fail("date: " + time.error().detail);
    return Value(*time);
}

std::optional<Value> timezone(Evaluation& run, Arguments arguments) {
    const auto zone = zone_named(run, "timezone", arguments[0]);
    if (!zone) return std::nullopt;
    return Value(*zone);
}

constexpr std::array<Function, 4> kTimeFunctions{{
    {"now", 0, 1, now},
    {"duration", 1, 1, duration},
    {"date", 1, 3, date},
    {"timezone", 1, 1, timezone},
}};

}  // namespace

std::span<const Function> time_functions() {
    return kTimeFunctions;
}

}  // namespace millrace::expression

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"

namespace millrace {

// A place in a trace, as W3C Trace Context (https://www.w3.org/TR/trace-context/) tells it from
// program to program. Without a trace id it is no place at all.
struct TraceContext {
    std::uint64_t trace_id_high = 0;
    std::uint64_t trace_id_low = 0;
    std::uint64_t span_id = 0;
    bool is_sampled = false;
    // Whether the span is one of ours; else it is its sender's, and only handed on.
    bool is_recorded = false;

    constexpr bool is_present() const { return (trace_id_high | trace_id_low) != 0; }
    // The same trace at another span of ours.
    constexpr TraceContext at(std::uint64_t other_span_id) const {
        return {trace_id_high, trace_id_low, other_span_id, is_sampled, true};
    }

    friend constexpr bool operator==(const TraceContext&, const TraceContext&) = default;
};

// The header field `traceparent`; nothing when it is not valid. A later version than ours is taken
// for what we know of it, as the standard wants.
std::optional<TraceContext> parse_trace_parent(std::string_view text);
std::string trace_parent_text(const TraceContext& context);

// 32 and 16 digits of base 16.
std::string trace_id_text(const TraceContext& context);
std::string span_id_text(std::uint64_t span_id);

// The span of a thing that has an id, never 0. Everybody who knows the id knows the span, so others
// can hang below it long before it is over and exported.
std::uint64_t span_id_of(Id128 id);

}  // namespace millrace

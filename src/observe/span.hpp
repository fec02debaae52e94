#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "base/trace_context.hpp"

namespace millrace::observe {

// With the numbers that OTLP gives them.
enum class SpanKind { internal = 1, server = 2, client = 3, producer = 4, consumer = 5 };
enum class SpanStatus { unset = 0, ok = 1, error = 2 };

struct SpanAttribute {
    std::string_view name{};  // One of our own texts: it outlives every span.
    std::variant<std::string, std::int64_t, bool> value{};

    friend bool operator==(const SpanAttribute&, const SpanAttribute&) = default;
};

// A piece of work that is over: what it was, where it belongs, how long it took.
struct Span {
    TraceContext context{};
    std::uint64_t parent_span_id = 0;  // 0: it is the root of its trace.
    std::string name{};
    SpanKind kind = SpanKind::internal;
    Instant started_at{};
    Instant ended_at{};
    SpanStatus status = SpanStatus::unset;
    std::string status_message{};
    std::vector<SpanAttribute> attributes{};
    std::vector<TraceContext> links{};  // Spans of other traces that it has to do with.

    friend bool operator==(const Span&, const Span&) = default;
};

// Where spans go. Thread-safe; hands over and returns.
class SpanSink {
public:
    virtual ~SpanSink() = default;
    virtual void take(Span span) = 0;
};

}  // namespace millrace::observe

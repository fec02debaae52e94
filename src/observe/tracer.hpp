#pragma once

#include <optional>
#include <utility>

#include "base/random.hpp"
#include "observe/span.hpp"

namespace millrace::observe {

// Decides which traces are told of, and tells. Thread-safe. One that is off costs a look at a
// pointer: whoever makes a span asks `is_recorded` of its context first, and nothing is.
class Tracer {
public:
    // Off: what callers send is handed on, and no span is made.
    Tracer() = default;
    // `ratio` is the part of all traces that begin here to be told of, from 0 to 1.
    Tracer(SpanSink& sink, Random& random, double ratio)
        : sink_(&sink), random_(&random), ratio_(ratio) {}

    bool is_on() const { return sink_ != nullptr; }

    // The place of work that somebody asks for. Under a parent that is sampled, always a span of
    // ours; under one that is not, its own place, never recorded. Without a parent the dice decide,
    // and what they leave out has no place.
    TraceContext follow(const std::optional<TraceContext>& parent) const;

    // A new span of ours in a trace that is recorded; a tracer that is off has none.
    TraceContext child_of(const TraceContext& parent) const;

    // The first span of a trace of its own, whatever the ratio.
    TraceContext begin() const;

    // A tracer that is off drops it.
    void take(Span span) const {
        if (sink_ != nullptr) sink_->take(std::move(span));
    }

private:
    std::uint64_t new_span_id() const;

    SpanSink* sink_ = nullptr;
    Random* random_ = nullptr;
    double ratio_ = 0;
};

}  // namespace millrace::observe

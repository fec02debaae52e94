#pragma once

#include <utility>
#include <vector>

#include "observe/tracer.hpp"

namespace millrace {

// Keeps what is told, in that order.
class KeptSpans final : public observe::SpanSink {
public:
    void take(observe::Span span) override { spans.push_back(std::move(span)); }

    std::vector<observe::Span> spans{};
};

}  // namespace millrace

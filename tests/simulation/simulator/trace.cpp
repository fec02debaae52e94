#include "simulator/trace.hpp"

#include "base/time_text.hpp"

namespace millrace::sim {

void Trace::add_line(Instant now, std::string_view text) {
    if (lines_.size() == kLinesKept) lines_.pop_front();
    // The day says nothing: every run begins at the same time.
    lines_.push_back(time_text(now).substr(11) + " " + std::string(text));
}

}  // namespace millrace::sim

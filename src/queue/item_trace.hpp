#pragma once

#include <memory>
#include <string>

#include "queue/record_start.hpp"
#include "queue/round_trace.hpp"

namespace millrace {

// What spans tell of one execution that is started elsewhere: `step:process_item` and what is below
// it, from its claim until its answer is written down. Belongs to the thread of RemoteRuns.
class ItemTrace {
public:
    ItemTrace(std::shared_ptr<RoundTrace> round, const Execution& execution, Instant began_at,
              Instant claimed_at);

    // Where its steps hang.
    const TraceContext& context() const { return context_; }

    // The target is asked whether the run is there. An empty code: it knows.
    void run_asked();
    void run_told(const std::string& code);

    // The target is asked for the start. Returns the traceparent that goes along: that of the
    // enqueuer, or else that of the call.
    std::string start_sent();
    void start_answered(const StartAnswer& answer);

    // The answer, wherever it is from, is about to be written down, and then it is.
    void answered(const StartAnswer& answer);
    void recorded(const RecordedStart& start);

    // Nothing more becomes of it here. Only the first time counts.
    void end();

private:
    void begin_call();
    void end_call(const char* name, const std::string& code);
    Instant now();

    const std::shared_ptr<RoundTrace> round_;
    Execution execution_;
    const TraceContext context_;
    const TraceContext dispatch_;
    const Instant began_at_;
    const Instant claimed_at_;
    Instant latest_;  // That was told.
    TraceContext call_{};
    Instant call_began_at_{};
    Instant answered_at_{};
    std::string outcome_ = "LOST";
    std::string error_{};
    bool is_over_ = false;
};

}  // namespace millrace

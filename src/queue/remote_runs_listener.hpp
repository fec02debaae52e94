#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "executor/breaker.hpp"
#include "queue/record_start.hpp"

namespace millrace {

// What becomes of executions that run elsewhere, for metrics, log lines and spans. Called by the
// thread that runs RemoteRuns. Nothing of an input is in any of it.
class RemoteRunsListener {
public:
    virtual ~RemoteRunsListener() = default;

    // A start is on its way to the target of the execution.
    virtual void on_start_sent(const Execution& execution) = 0;
    // The target has answered with anything but "started"; or there is no such target.
    virtual void on_start_failed(const Execution& execution, const StartAnswer& answer) = 0;
    // An answer is written down. `record` is never lost: nobody wants to hear of those.
    virtual void on_start_recorded(const RecordedStart& start) = 0;

    // So many claims were taken over whose owner was lost, or whose outcome was.
    virtual void on_recovered(std::size_t count) = 0;
    // One was taken over too often and has failed.
    virtual void on_recoveries_exhausted(const Execution& execution) = 0;

    virtual void on_cancel_passed_on(const Execution& execution) = 0;
    // A question about a run, or its cancellation, got no answer. It is repeated.
    virtual void on_look_failed(const Execution& execution, const CallFailure& failure) = 0;
    // The end of a run is written down.
    virtual void on_run_ended(const Execution& execution) = 0;

    // The target did not tell which runs have ended. They are looked at in turn.
    virtual void on_listing_failed(const std::string& target, const CallFailure& failure) = 0;

    virtual void on_breaker(const std::string& target, Breaker::State state) = 0;

    // What is known of an execution could not be written down; its lease brings it up again.
    virtual void on_trouble(const Execution& execution, const Error& error) = 0;
};

}  // namespace millrace

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "commit/commit_listener.hpp"
#include "dispatch/job_broker.hpp"

namespace millrace {

// Writes down what committers and the broker tell.
class RecordingListener final : public CommitListener, public DispatchListener {
public:
    void on_commit(const Writes&) override {}
    void on_batch(std::size_t command_count, Duration, Duration) override {
        batch_sizes.push_back(command_count);
    }
    void on_batch_end(const BatchEnd& batch) override {
        if (note_batch_end) note_batch_end(batch);
    }
    void on_command(std::string_view, Duration) override {}
    void on_outcome(BatchOutcome outcome) override { outcomes.push_back(outcome); }

    void on_delivered(std::span<const DeliveredJob>, Instant) override {}
    void on_claimed(Duration) override {}
    void on_empty_poll() override { empty_polls += 1; }
    void on_claim_conflict() override { claim_conflicts += 1; }
    void on_claim_failed(Instant) override { claims_failed += 1; }

    std::vector<std::size_t> batch_sizes{};
    std::vector<BatchOutcome> outcomes{};
    std::function<void(const BatchEnd&)> note_batch_end{};
    int empty_polls = 0;
    int claim_conflicts = 0;
    int claims_failed = 0;
};

}  // namespace millrace

#pragma once

#include <span>
#include <vector>

#include "commit/commit_listener.hpp"
#include "dispatch/job_broker.hpp"

namespace millrace {

// Several listeners of one interface, told one after the other. They outlive this.
template <class Listener>
class Listeners {
public:
    Listeners(Listener& first, std::span<Listener* const> others) : all_{&first} {
        all_.insert(all_.end(), others.begin(), others.end());
    }

    template <class... Parameters, class... Arguments>
    void tell(void (Listener::*event)(Parameters...), const Arguments&... arguments) const {
        for (Listener* each : all_) (each->*event)(arguments...);
    }

private:
    std::vector<Listener*> all_;
};

class CommitListeners final : public CommitListener {
public:
    CommitListeners(CommitListener& first, std::span<CommitListener* const> others)
        : all_(first, others) {}

    void on_commit(const Writes& writes) override;
    void on_doubt(const Writes& writes) override;
    void on_unreadable_rows(std::span<const std::string> reasons) override;
    void on_outcome(BatchOutcome outcome) override;
    void on_batch(std::size_t command_count, Duration load_duration,
                  Duration total_duration) override;
    void on_lock_timeout(Duration waited) override;
    void on_batch_end(const BatchEnd& batch) override;
    void on_command(std::string_view name, Duration waited) override;

private:
    const Listeners<CommitListener> all_;
};

class DispatchListeners final : public DispatchListener {
public:
    DispatchListeners(DispatchListener& first, std::span<DispatchListener* const> others)
        : all_(first, others) {}

    void on_delivered(std::span<const DeliveredJob> jobs, Instant now) override;
    void on_claimed(Duration duration) override;
    void on_empty_poll() override;
    void on_claim_conflict() override;
    void on_rechecked(std::size_t type_count) override;
    void on_claim_failed(Instant now) override;

private:
    const Listeners<DispatchListener> all_;
};

}  // namespace millrace

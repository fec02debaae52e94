#pragma once

#include <functional>

#include "runtime/store_clock.hpp"
#include "simulator/shared_store.hpp"
#include "simulator/weather.hpp"
#include "store/database.hpp"

namespace millrace::sim {

// What the connections of one replica have in common: the store they lead to, and the weather on
// the way.
struct Line {
    SharedStore& store;
    const Clock& time;  // The store's own.
    Weather& weather;
    int replica = 0;
    bool is_shared = false;
    int committers = 1;
    // The server told its time.
    std::function<void()> on_server_time{};
    std::function<void()> interleave{};
    SimRandom random{0};

    // What happens to this call before it reaches the store. Throws Killed.
    std::optional<Fault> begin(StoreCall call);
    // After it took effect: where a replica that was to die in it dies at the latest, and where
    // others have their rounds before it hears of it.
    void end(std::optional<Fault> fault);

    bool is_interleaved_at_end = false;  // Of the call under way.
};

// The error that a struck call is answered with.
Error refused(Fault fault);

// The store as one replica sees it.
class SimDatabase final : public Database {
public:
    explicit SimDatabase(Line line) : line_(std::move(line)) {}
    ~SimDatabase() override;

    Status migrate() override { return line_.store.inner().migrate(); }
    std::unique_ptr<BatchStore> batch_store() override;
    std::unique_ptr<JobClaimer> job_claimer() override;
    std::unique_ptr<Reader> reader() override;
    std::unique_ptr<HintSender> hint_sender() override;
    std::unique_ptr<HintListener> hint_listener() override;
    std::unique_ptr<Cluster> cluster() override;
    std::unique_ptr<LockTable> lock_table(const std::string& table) override;
    int committer_count() const override { return line_.committers; }
    bool is_shared() const override { return line_.is_shared; }

    // When the next hint that is on its way comes in; empty: none is.
    std::optional<Instant> next_hint_at() const;

private:
    Line line_;
};

}  // namespace millrace::sim

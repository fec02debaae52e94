#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "store/postgres/postgres_database.hpp"
#include "support/test_node.hpp"

namespace millrace {

// One replica with a thread of its own, which can be stopped before any statement that it sends. It
// shares nothing with another one but the database.
class Player {
public:
    enum class State { running, stopped, over };

    Player(const std::string& target, Instant now);
    ~Player();
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    TestNode& node() { return node_; }
    JobClaimer& claimer() { return *claimer_; }
    Instant now() const { return clock_.now(); }

    // Starts the work on its thread, to be stopped before its n-th statement; empty: never.
    void begin(std::function<void(Player&)> work, std::optional<std::size_t> stop_before = {});
    // Until it is stopped or over.
    State await();
    // The same for a moment, after which it may be running still.
    State await_a_moment();
    void go_on();

    // What the last work has sent, and what went wrong; only while it is over.
    const std::vector<std::string>& statements() const { return statements_; }
    const std::vector<std::string>& troubles() const { return troubles_; }

private:
    PostgresOptions options(const std::string& target);
    void pass(std::string_view name);
    void loop();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void(Player&)> work_;
    std::optional<std::size_t> stop_before_;
    State state_ = State::over;
    bool is_ending_ = false;
    std::vector<std::string> statements_;
    std::vector<std::string> troubles_;

    FakeClock clock_;
    PostgresDatabase database_;
    TestNode node_;
    std::unique_ptr<JobClaimer> claimer_;
    std::thread thread_;
};

}  // namespace millrace

#include "interleavings/player.hpp"

namespace millrace {

Player::Player(const std::string& target, Instant now)
    : clock_(now),
      database_(options(target)),
      node_(database_, clock_),
      claimer_(database_.job_claimer()),
      thread_([this] { loop(); }) {}

Player::~Player() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

PostgresOptions Player::options(const std::string& target) {
    return {
        .target = target,
        .on_trouble =
            [this](std::string_view trouble) {
                const std::lock_guard lock(mutex_);
                troubles_.emplace_back(trouble);
            },
        .before_call = [this](std::string_view name) { pass(name); },
    };
}

void Player::begin(std::function<void(Player&)> work, std::optional<std::size_t> stop_before) {
    {
        const std::lock_guard lock(mutex_);
        work_ = std::move(work);
        stop_before_ = stop_before;
        state_ = State::running;
        statements_.clear();
        troubles_.clear();
    }
    changed_.notify_all();
}

Player::State Player::await() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return state_ != State::running; });
    return state_;
}

Player::State Player::await_a_moment() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(1),
                      [this] { return state_ != State::running; });
    return state_;
}

void Player::go_on() {
    {
        const std::lock_guard lock(mutex_);
        if (state_ == State::stopped) state_ = State::running;
    }
    changed_.notify_all();
}

// Between two statements of its thread.
void Player::pass(std::string_view name) {
    std::unique_lock lock(mutex_);
    statements_.emplace_back(name);
    if (statements_.size() - 1 != stop_before_) return;
    state_ = State::stopped;
    changed_.notify_all();
    changed_.wait(lock, [this] { return state_ != State::stopped; });
}

void Player::loop() {
    while (true) {
        std::function<void(Player&)> work;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return is_ending_ || work_; });
            if (is_ending_) return;
            work = std::exchange(work_, nullptr);
        }
        work(*this);
        {
            const std::lock_guard lock(mutex_);
            state_ = State::over;
        }
        changed_.notify_all();
    }
}

}  // namespace millrace

#pragma once

#include <condition_variable>
#include <cstdint>

#include "base/mutex.hpp"

namespace millrace::sqlite {

// A lock that is given to those who wait in the order in which they came. It may be given back by
// another thread than the one that took it.
class Turns {
public:
    void take();
    void give_back();

private:
    Mutex mutex_;
    std::condition_variable_any given_back_;
    std::uint64_t last_ MILLRACE_GUARDED_BY(mutex_) = 0;     // Number of the last who came.
    std::uint64_t current_ MILLRACE_GUARDED_BY(mutex_) = 1;  // Of the one whose turn it is.
};

// Holds a turn for as long as it lives.
class Turn {
public:
    explicit Turn(Turns& turns) : turns_(&turns) { turns.take(); }
    ~Turn() {
        if (turns_ != nullptr) turns_->give_back();
    }
    Turn(Turn&& other) noexcept : turns_(other.turns_) { other.turns_ = nullptr; }
    Turn& operator=(Turn&&) = delete;

private:
    Turns* turns_;
};

}  // namespace millrace::sqlite

#pragma once

#include <map>

#include "runtime/loop_runner.hpp"
#include "runtime/thread.hpp"

namespace millrace::runtime {

// A thread that calls one loop: at once while it makes progress, else when somebody wakes it or its
// time has come. Ended by its destructor at the latest.
class LoopThread {
public:
    explicit LoopThread(Loop& loop);
    ~LoopThread() { stop(); }

    LoopThread(const LoopThread&) = delete;
    LoopThread& operator=(const LoopThread&) = delete;

    void stop();
    void finish();

private:
    Loop& loop_;
    Thread thread_;
};

// Gives each loop a thread of its own. What the loops use outlives this object.
class LoopThreads final : public LoopRunner {
public:
    void start(Loop& loop) override { threads_.try_emplace(&loop, loop); }
    void stop(Loop& loop) override;
    void finish(Loop& loop) override;

private:
    std::map<Loop*, LoopThread> threads_;
};

}  // namespace millrace::runtime

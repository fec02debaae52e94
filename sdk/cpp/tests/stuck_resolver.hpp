#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace millrace::client {

// The name stuck.test, which the resolver of a test program does not answer while this is closed.
class StuckResolverGate {
public:
    static StuckResolverGate& get();

    void set(bool open);
    // At the latest; earlier when somebody else opens it.
    void open_after(std::chrono::seconds duration);
    void pass();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_open_ = true;
};

}  // namespace millrace::client

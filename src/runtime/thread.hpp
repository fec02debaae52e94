#pragma once

#include <functional>
#include <string_view>
#include <thread>

namespace millrace::runtime {

// A thread with a name that top and gdb show (its first 15 characters). Joined when destroyed, so
// whoever owns it has told its body to end before.
class Thread {
public:
    Thread() = default;
    Thread(std::string_view name, std::function<void()> body);

    void join();
    bool joinable() const { return thread_.joinable(); }

private:
    std::jthread thread_;
};

}  // namespace millrace::runtime

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/mutex.hpp"
#include "executor/temporal/wire.hpp"

namespace millrace {

// What a script answers with.
struct FakeStatus {
    int code = 0;  // Of gRPC.
    std::string message{};
    bool is_held = false;  // No answer at all, until the client gives up.
};

// One function of a script, which may be replaced while the server runs.
template <class Function>
class Script {
public:
    Script& operator=(Function function) {
        const MutexLock lock(mutex_);
        function_ = std::move(function);
        return *this;
    }
    Function get() const {
        const MutexLock lock(mutex_);
        return function_;
    }

private:
    mutable Mutex mutex_;
    Function function_ MILLRACE_GUARDED_BY(mutex_);
};

// A scripted server for what a real one does not do when it is told to: odd codes, no answers,
// histories in pieces. The scripts run on threads of the server.
class FakeTemporal {
public:
    // With a maximum of calls that a client may have under way on one connection.
    explicit FakeTemporal(int calls_max = 1'000);
    ~FakeTemporal();
    FakeTemporal(const FakeTemporal&) = delete;
    FakeTemporal& operator=(const FakeTemporal&) = delete;

    int port() const;

    using OnStart = std::function<FakeStatus(const wire::StartWorkflowExecutionRequest&)>;
    using OnDescribe = std::function<FakeStatus(const wire::DescribeWorkflowExecutionRequest&,
                                                wire::DescribeWorkflowExecutionResponse&)>;
    using OnHistory = std::function<FakeStatus(const wire::GetWorkflowExecutionHistoryRequest&,
                                               wire::GetWorkflowExecutionHistoryResponse&)>;
    using OnSystemInfo = std::function<FakeStatus()>;

    Script<OnStart> on_start{};  // Without one, everything is accepted.
    Script<OnDescribe> on_describe{};
    Script<OnHistory> on_history{};
    Script<OnSystemInfo> on_system_info{};  // Without one, it answers.

    // How many calls have arrived.
    int starts() const;
    int system_infos() const;
    // Waits until so many starts have arrived.
    void wait_for_starts(int count) const;

private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

}  // namespace millrace

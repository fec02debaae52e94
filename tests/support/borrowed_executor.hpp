#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "executor/remote_executor.hpp"

namespace millrace {

// An executor that outlives the node that uses it, and others may use it, too: the end of the node
// is not its end.
class BorrowedExecutor final : public RemoteExecutor {
public:
    explicit BorrowedExecutor(RemoteExecutor& owner) : owner_(owner) {}

    void start(const StartRun& request, Duration timeout,
               std::function<void(StartAnswer)> done) override {
        owner_.start(request, timeout, std::move(done));
    }
    void describe(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                  std::function<void(CallResult<RunReport>)> done) override {
        owner_.describe(execution, run, timeout, std::move(done));
    }
    void await_end(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                   std::function<void(CallResult<RunReport>)> done) override {
        owner_.await_end(execution, run, timeout, std::move(done));
    }
    void cancel(const RunRef& run, const std::string& reason, bool is_forced, Duration timeout,
                std::function<void(CallResult<bool>)> done) override {
        owner_.cancel(run, reason, is_forced, timeout, std::move(done));
    }
    void describe_namespace(const std::string& name_space, Duration timeout,
                            std::function<void(CallResult<NamespaceReport>)> done) override {
        owner_.describe_namespace(name_space, timeout, std::move(done));
    }
    void list_closed(const std::string& name_space, Instant since, const std::string& page,
                     Duration timeout, std::function<void(CallResult<ClosedRuns>)> done) override {
        owner_.list_closed(name_space, since, page, timeout, std::move(done));
    }
    void stop() override {}

private:
    RemoteExecutor& owner_;
};

// For QueueNode::Options.
inline std::map<std::string, std::unique_ptr<RemoteExecutor>> borrowed(
    const std::map<std::string, RemoteExecutor*>& executors) {
    std::map<std::string, std::unique_ptr<RemoteExecutor>> borrowed;
    for (const auto& [target, executor] : executors) {
        borrowed.emplace(target, std::make_unique<BorrowedExecutor>(*executor));
    }
    return borrowed;
}

}  // namespace millrace

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "api/grpc/mailbox.hpp"
#include "api/grpc/method.hpp"
#include "api/grpc/rpc_metrics.hpp"
#include "api/http/service.hpp"
#include "api/http/session_count.hpp"

namespace millrace::rpc {

// One rpc that is served.
struct Served {
    Served(const Method& served, observe::Metrics& metrics, bool is_open_to_all);

    const Method& method;
    const std::string name;  // Without the first slash: workflow.v1.WorkflowEngine/GetInstance
    const bool is_open;      // Nobody is asked for a key.
    RpcMetrics metrics;
};

// What all calls of a server share. Thread-safe, but for the methods, which are all there before it
// starts.
class Calls {
public:
    Calls(http::Service& service, observe::Metrics& metrics, const Methods& methods,
          std::vector<std::shared_ptr<Mailbox>> mailboxes);

    http::Service& service() { return service_; }
    // Null when there is none of that name: "/package.Service/Rpc".
    Served* find(std::string_view name);
    // Of the next call: they are dealt in turn.
    const std::shared_ptr<Mailbox>& next_mailbox();

    http::SessionCount& open() { return open_; }
    bool is_draining() const { return is_draining_; }
    // From when it begins until gRPC is done with it.
    void add(const std::shared_ptr<Call>& call);
    void remove(const std::shared_ptr<Call>& call);

    // Now and then: ends calls whose client takes too long.
    void end_late();
    // Calls that come from now on are refused. Those whose message has not come end, and so do
    // streams that may end at any time.
    void drain();

private:
    std::vector<std::shared_ptr<Call>> all();

    http::Service& service_;
    std::map<std::string, Served, std::less<>> served_{};
    const std::vector<std::shared_ptr<Mailbox>> mailboxes_;
    std::atomic<std::size_t> next_mailbox_{0};
    http::SessionCount open_;
    std::atomic<bool> is_draining_{false};
    Mutex mutex_;
    std::unordered_set<std::shared_ptr<Call>> all_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::rpc

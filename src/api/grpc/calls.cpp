#include "api/grpc/calls.hpp"

#include "api/grpc/call.hpp"

namespace millrace::rpc {

namespace {

// An rpc is open when what it asks for is. What a message without anything in it asks for tells:
// nothing that is open has parameters in its path.
bool is_open_to_all(const http::Service& service, const Method& method) {
    const Result<RestCall> call = method.to_call({});
    return call && service.is_open(call->method, call->path);
}

}  // namespace

Served::Served(const Method& served, observe::Metrics& all_metrics, bool is_open_to_all)
    : method(served),
      name(served.name().substr(1)),
      is_open(is_open_to_all),
      metrics(all_metrics, name) {}

Calls::Calls(http::Service& service, observe::Metrics& metrics, const Methods& methods,
             std::vector<std::shared_ptr<Mailbox>> mailboxes)
    : service_(service), mailboxes_(std::move(mailboxes)), open_(metrics.grpc_calls) {
    for (const auto& method : methods) {
        const bool is_open = is_open_to_all(service, *method);
        const bool is_new = served_.try_emplace(method->name(), *method, metrics, is_open).second;
        MILLRACE_CHECK(is_new);
    }
}

Served* Calls::find(std::string_view name) {
    const auto found = served_.find(name);
    return found != served_.end() ? &found->second : nullptr;
}

const std::shared_ptr<Mailbox>& Calls::next_mailbox() {
    return mailboxes_[next_mailbox_.fetch_add(1, std::memory_order_relaxed) % mailboxes_.size()];
}

void Calls::add(const std::shared_ptr<Call>& call) {
    open_.add();
    const MutexLock lock(mutex_);
    all_.insert(call);
}

void Calls::remove(const std::shared_ptr<Call>& call) {
    {
        const MutexLock lock(mutex_);
        all_.erase(call);
    }
    open_.remove();
}

std::vector<std::shared_ptr<Call>> Calls::all() {
    const MutexLock lock(mutex_);
    return {all_.begin(), all_.end()};
}

void Calls::end_late() {
    const Instant now = service_.clock().now();
    for (const auto& call : all()) call->end_if_late(now);
}

void Calls::drain() {
    is_draining_ = true;
    for (const auto& call : all()) call->ask_to_drain();
}

}  // namespace millrace::rpc

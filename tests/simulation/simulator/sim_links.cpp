#include "simulator/sim_links.hpp"

#include <algorithm>
#include <chrono>

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr Duration kHintLate = 20s;
constexpr Duration kHintSoon = 20ms;

}  // namespace

Result<std::vector<::millrace::Replica>> SimCluster::report(const ::millrace::Replica& self,
                                                            Duration fresh) {
    const std::optional<Fault> fault = line_.begin(StoreCall::cluster);
    if (fault && fault != Fault::reply_lost && fault != Fault::killed) return refused(*fault);
    const Instant now = line_.time.now();
    ::millrace::Replica seen = self;
    seen.seen_at = now;
    line_.store.members().insert_or_assign(self.id, seen);
    line_.end(fault);
    if (fault) return refused(*fault);
    if (line_.on_server_time) line_.on_server_time();
    std::vector<::millrace::Replica> alive;
    for (const auto& [id, member] : line_.store.members()) {
        if (member.seen_at > now - fresh) alive.push_back(member);
    }
    return alive;
}

Status SimCluster::leave(const Id128& replica) {
    const std::optional<Fault> fault = line_.begin(StoreCall::cluster);
    if (fault && fault != Fault::reply_lost && fault != Fault::killed) return refused(*fault);
    line_.store.members().erase(replica);
    for (auto& [duty, row] : line_.store.duties()) {
        if (row.lease.holder == replica) row.until = line_.time.now();
    }
    line_.end(fault);
    if (fault) return refused(*fault);
    return ok();
}

Result<std::optional<DutyLease>> SimCluster::hold(std::string_view duty, const Id128& replica,
                                                  Duration duration) {
    const std::optional<Fault> fault = line_.begin(StoreCall::cluster);
    if (fault && fault != Fault::reply_lost && fault != Fault::killed) return refused(*fault);
    const Instant now = line_.time.now();
    const auto [found, is_new] = line_.store.duties().try_emplace(std::string(duty));
    SharedStore::DutyRow& row = found->second;
    const bool is_own = !is_new && row.lease.holder == replica;
    const bool is_free = is_new || row.until <= now;
    if (is_own || is_free) {
        row.lease = {std::string(duty), replica, row.lease.fence + (is_own ? 0 : 1)};
        row.until = now + duration;
    }
    line_.end(fault);
    if (fault) return refused(*fault);
    if (!is_own && !is_free) return std::optional<DutyLease>{};
    return std::optional(row.lease);
}

Result<bool> SimLockTable::lock(std::string_view name, std::string_view holder, Duration at_most) {
    const std::optional<Fault> fault = line_.begin(StoreCall::lock);
    if (fault && fault != Fault::reply_lost && fault != Fault::killed) return refused(*fault);
    Result<bool> is_taken = inner_.lock(name, holder, at_most);
    line_.end(fault);
    if (fault) return refused(*fault);
    return is_taken;
}

Status SimLockTable::unlock(std::string_view name, std::string_view holder, Duration at_least) {
    const std::optional<Fault> fault = line_.begin(StoreCall::lock);
    if (fault && fault != Fault::reply_lost && fault != Fault::killed) return refused(*fault);
    const Status status = inner_.unlock(name, holder, at_least);
    line_.end(fault);
    if (fault) return refused(*fault);
    return status;
}

Status SimHintSender::send(const Hint& hint) {
    const std::optional<Fault> fault = line_.begin(StoreCall::hint);
    const bool is_unlucky = fault == Fault::hint_lost;
    const bool goes_out =
        !fault || is_unlucky || fault == Fault::reply_lost || fault == Fault::killed;
    if (!goes_out) return refused(*fault);
    for (auto& [replica, listener] : line_.store.listeners()) {
        if (replica != line_.replica) send_to(listener, hint, is_unlucky);
    }
    line_.end(fault);
    if (fault && !is_unlucky) return refused(*fault);
    return ok();
}

// Lost, doubled or late when it is unlucky. Sorted by time: a late one is overtaken.
void SimHintSender::send_to(std::deque<HintOnItsWay>& listener, const Hint& hint, bool is_unlucky) {
    const int fate = is_unlucky ? line_.random.between(0, 2) : 3;
    const int copies = fate == 0 ? 0 : fate == 1 ? 2 : 1;
    for (int copy = 0; copy < copies; ++copy) {
        const Duration most = fate == 2 ? kHintLate : kHintSoon;
        const Instant due_at = line_.store.now() + line_.random.between(0us, most);
        const auto place = std::ranges::upper_bound(listener, due_at, {}, &HintOnItsWay::due_at);
        listener.insert(place, {due_at, hint});
    }
}

Result<std::vector<Hint>> SimHintListener::wait(Duration) {
    auto& listeners = line_.store.listeners();
    const std::optional<Fault> fault = line_.begin(StoreCall::hint);
    line_.end(fault);
    if (fault && fault != Fault::hint_lost) {
        listeners.erase(line_.replica);
        return refused(*fault);
    }
    const auto [found, is_new] = listeners.try_emplace(line_.replica);
    if (is_new) return std::vector<Hint>{{.is_incomplete = true}};
    std::vector<Hint> hints;
    std::deque<HintOnItsWay>& waiting = found->second;
    while (!waiting.empty() && waiting.front().due_at <= line_.store.now()) {
        hints.push_back(std::move(waiting.front().hint));
        waiting.pop_front();
    }
    if (fault) hints.clear();
    return hints;
}

}  // namespace millrace::sim

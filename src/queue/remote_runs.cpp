#include "queue/remote_runs.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace millrace {

namespace {

constexpr Duration kWhileTrying = std::chrono::seconds{1};
constexpr Duration kCrowdedPause = std::chrono::seconds{1};
constexpr Duration kWhileCrowded = std::chrono::seconds{5};  // Long lines take as long.

std::optional<Instant> earliest(std::initializer_list<std::optional<Instant>> times) {
    std::optional<Instant> first;
    for (const std::optional<Instant>& time : times) {
        if (time && (!first || *time < *first)) first = time;
    }
    return first;
}

}  // namespace

RemoteRuns::RemoteRuns(RunStarter::ReadExecution read_execution, CommandQueue& commands,
                       const Executors& executors, RemoteRunsListener& listener, const Clock& clock,
                       RemoteSettings settings, std::function<void()> wake)
    : context_(commands, listener, clock, std::move(settings), std::move(wake)),
      retentions_(context_),
      watcher_(context_),
      starter_(context_, std::move(read_execution), retentions_, watcher_) {
    for (const auto& [name, executor] : executors) {
        context_.targets.try_emplace(name, name, *executor, listener, context_.settings);
    }
}

RemoteRuns::~RemoteRuns() {
    context_.agenda->close();
}

void RemoteRuns::begin(std::vector<ClaimedExecution> claimed, std::function<void()> over) {
    context_.agenda->post([this, claimed = std::move(claimed), over = std::move(over)] {
        const auto left = std::make_shared<std::size_t>(claimed.size());
        for (const ClaimedExecution& each : claimed) {
            starter_.begin(each, [left, over] {
                if (--*left == 0 && over) over();
            });
        }
    });
}

void RemoteRuns::attend(const ExecutionKey& key, std::function<void(bool)> done) {
    context_.agenda->post([this, key, done = std::move(done)] { take(key, done); });
}

std::map<std::string, Instant> RemoteRuns::closed_targets() const {
    const Instant now = context_.clock.now();
    std::map<std::string, Instant> closed;
    const MutexLock lock(mutex_);
    for (const auto& [name, why] : closed_) {
        const Instant until = why.until.value_or(now + why.moment);
        if (until <= now) continue;
        closed[name] = until;
        if (name == target_name({})) closed[{}] = until;
    }
    return closed;
}

TargetFacts RemoteRuns::target_facts() const {
    TargetFacts facts;
    for (const auto& [name, target] : context_.targets) facts.known.insert(name);
    const MutexLock lock(mutex_);
    for (const auto& [name, why] : closed_) {
        if (why.unreachable_since) {
            facts.unreachable[name] = {.since = *why.unreachable_since, .tries_at = why.until};
        } else {
            facts.busy.insert(name);
        }
    }
    return facts;
}

Round RemoteRuns::run_once() {
    const Instant now = context_.clock.now();
    context_.agenda->run(now);
    release_put_off(now);
    if (!is_stopped_) {
        starter_.renew_claims(now);
        // Where one call is to try a target, questions come first: nothing hangs on their answers.
        starter_.send_recoveries(now);
        watcher_.send_looks(now);
        starter_.send_starts(now);
        watcher_.list_closed(now);
    }
    context_.commands.hand_over(!is_stopped_ && context_.is_calling(), now);
    show_closed(now);
    if (recovered_ > 0) context_.listener.on_recovered(std::exchange(recovered_, 0));
    if (is_stopped_) return {.next_at = context_.agenda->next_at()};
    return {
        .unhealthy = starter_.take_trouble(),
        .next_at = earliest({context_.agenda->next_at(), context_.commands.next_at(),
                             starter_.renews_at(), watcher_.lists_at(),
                             put_off_.empty() ? std::nullopt : std::optional(put_off_until_)}),
    };
}

void RemoteRuns::stop() {
    context_.agenda->post([this] {
        is_stopped_ = true;
        starter_.stop();
        watcher_.stop();
    });
}

// What is ours already need not be taken: its lease is about to be renewed. Nor is there a point in
// taking more than can be looked at before others would take it.
void RemoteRuns::take(const ExecutionKey& key, std::function<void(bool)> done) {
    const bool is_crowded = watcher_.waiting() >= context_.settings.looks_waiting_max;
    if (is_stopped_ || starter_.holds(key)) return done(false);
    if (is_crowded) return put_off(std::move(done));
    TakeAttention command{
        .key = key,
        .owner = context_.settings.owner,
        .lease = context_.settings.lease,
        .rules = context_.settings.rules,
        .stale_after = context_.settings.stale_after,
    };
    context_.submit(std::move(command), RemoteContext::Urgency::at_once,
                    [this, done = std::move(done)](const Result<TakenAttention>& attention) {
                        if (attention) taken(*attention);
                        done(static_cast<bool>(attention));
                    });
}

// Told after a moment, as if it were over: it is still due then. Told at once that it has failed,
// its loop would go on to the next ones, and read through all that are due, again and again.
void RemoteRuns::put_off(std::function<void(bool)> done) {
    if (put_off_.empty()) put_off_until_ = context_.clock.now() + kCrowdedPause;
    put_off_.push_back(std::move(done));
}

void RemoteRuns::release_put_off(Instant now) {
    if (!is_stopped_ && now < put_off_until_) return;
    for (const std::function<void(bool)>& done : std::exchange(put_off_, {})) done(true);
}

void RemoteRuns::taken(const TakenAttention& attention) {
    switch (attention.attention) {
        case Attention::none: return;
        case Attention::recover_start: recovered_ += 1; return starter_.recover(attention);
        case Attention::failed:
            return context_.listener.on_recoveries_exhausted(attention.execution);
        case Attention::pass_cancel_on:
        case Attention::describe: return watcher_.attend(attention);
    }
}

void RemoteRuns::show_closed(Instant now) {
    std::map<std::string, Closed> closed;
    for (const auto& [name, target] : context_.targets) {
        const bool is_crowded = starter_.waiting(name) >= context_.settings.starts_waiting_max;
        if (const std::optional<Instant> until = target.paused_until(now)) {
            closed[name] = {.until = until, .unreachable_since = target.unreachable_since()};
        } else if (is_crowded || target.is_trying()) {
            closed[name] = {.moment = is_crowded ? kWhileCrowded : kWhileTrying,
                            .unreachable_since = target.unreachable_since()};
        }
    }
    const MutexLock lock(mutex_);
    closed_ = std::move(closed);
}

}  // namespace millrace

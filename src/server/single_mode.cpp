#include "server/single_mode.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "server/sleep_max.hpp"

namespace millrace {

namespace {

std::unique_ptr<LockTable> locks_of(Database& database, const std::string& table) {
    std::unique_ptr<LockTable> locks = database.lock_table(table);
    MILLRACE_CHECK(locks != nullptr);
    return locks;
}

LockedRounds::Config rounds_of(const RoundLock& lock, const SingleMode::Options& options,
                               Duration interval) {
    return {.lock = lock,
            .holder = options.holder,
            .interval = interval,
            .first_after = options.first_after};
}

}  // namespace

SingleMode::SingleMode(Database& database, CommandQueue& commands, QueueListener& listener,
                       const Clock& clock, RemoteRuns& remote, Options options,
                       const NewHealth& new_health)
    : clock_(clock),
      dispatch_locks_(locks_of(database, options.lock_table)),
      recovery_locks_(locks_of(database, options.lock_table)),
      reader_(database.reader()),
      dispatcher_(
          commands, listener, clock, options.batch,
          {.begin = [&remote](auto claimed, auto over) { remote.begin(std::move(claimed), over); },
           .closed_targets =
               [&remote] {
                   return remote.closed_targets();
               }}),
      recovery_(*reader_, clock,
                [&remote](const ExecutionKey& key, std::function<void(bool)> done) {
                    remote.attend(key, std::move(done));
                }),
      dispatch_rounds_(
          *dispatch_locks_, listener, clock,
          rounds_of(kDispatchLock, options, options.poll_interval),
          [this](std::function<void()> end) -> Status {
              dispatcher_.begin(std::move(end));
              return ok();
          },
          [this] { dispatch_thread_.wake(); }),
      recovery_rounds_(
          *recovery_locks_, listener, clock,
          rounds_of(kRecoveryLock, options, options.recover_interval),
          [this](std::function<void()> end) { return recovery_.begin(std::move(end)); },
          [this] { recovery_thread_.wake(); }),
      dispatch_thread_(
          "dispatcher",
          [this, &health = new_health("dispatcher")] { return run(dispatch_rounds_, health); }),
      recovery_thread_("recovery", [this, &health = new_health("recovery")] {
          return run(recovery_rounds_, health);
      }) {}

void SingleMode::start() {
    dispatch_thread_.start();
    recovery_thread_.start();
}

void SingleMode::stop() {
    dispatch_thread_.stop();
    recovery_thread_.stop();
}

void SingleMode::give_up_locks() {
    dispatch_rounds_.stop();
    recovery_rounds_.stop();
}

SingleMode::Next SingleMode::run(LockedRounds& rounds, LoopHealth& health) const {
    const LockedRounds::Round round = rounds.run_once();
    if (round.unhealthy) return health.failed();
    health.succeeded();
    if (!round.next_at) return {};
    return {.after = std::clamp(*round.next_at - clock_.now(), Duration::zero(), kSleepMax)};
}

}  // namespace millrace

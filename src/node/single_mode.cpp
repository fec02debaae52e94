#include "node/single_mode.hpp"

#include "base/check.hpp"

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

SingleMode::SingleMode(const NodeContext& context, CommandQueue& commands, LoopSet& loops,
                       QueueListener& listener, RemoteRuns& remote, Options options)
    : batch_listeners_(listener, options.batch_listeners),
      lock_listeners_(listener, options.lock_listeners),
      dispatch_loop_(loops.add("dispatcher", [this] { return dispatch_rounds_.run_once(); })),
      recovery_loop_(loops.add("recovery", [this] { return recovery_rounds_.run_once(); })),
      dispatch_locks_(locks_of(context.database, options.lock_table)),
      recovery_locks_(locks_of(context.database, options.lock_table)),
      reader_(context.database.reader()),
      dispatcher_(
          commands, batch_listeners_, context.clock, options.batch,
          {.begin = [&remote](auto claimed, auto over) { remote.begin(std::move(claimed), over); },
           .closed_targets =
               [&remote] {
                   return remote.closed_targets();
               }}),
      recovery_(*reader_, context.clock,
                [&remote](const ExecutionKey& key, std::function<void(bool)> done) {
                    remote.attend(key, std::move(done));
                }),
      dispatch_rounds_(
          *dispatch_locks_, lock_listeners_, context.clock,
          rounds_of(kDispatchLock, options, options.poll_interval),
          [this](std::function<void()> end) -> Status {
              dispatcher_.begin(std::move(end));
              return ok();
          },
          [this] { dispatch_loop_.wake(); }),
      recovery_rounds_(
          *recovery_locks_, lock_listeners_, context.clock,
          rounds_of(kRecoveryLock, options, options.recover_interval),
          [this](std::function<void()> end) { return recovery_.begin(std::move(end)); },
          [this] { recovery_loop_.wake(); }) {}

void SingleMode::stop(runtime::LoopRunner& runner) {
    runner.stop(dispatch_loop_);
    runner.stop(recovery_loop_);
}

void SingleMode::give_up_locks() {
    dispatch_rounds_.stop();
    recovery_rounds_.stop();
}

}  // namespace millrace

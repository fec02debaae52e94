#include "server/long_answers.hpp"

namespace millrace {

LongAnswers::LongAnswers(Node& node, Database& database, access::KeyCache& keys, const Clock& clock)
    : database_(database),
      event_loop_("events", [this] { return Next{.after = event_streams_.run_once()}; }),
      backup_loop_("backup", [this] { return make_backup(); }),
      event_streams_(node.queries(), node.watch(), keys, clock, {.is_shared = database.is_shared()},
                     [this] { event_loop_.wake(); }) {}

void LongAnswers::start(runtime::LoopRunner& runner) {
    runner.start(event_loop_);
    runner.start(backup_loop_);
}

void LongAnswers::stop(runtime::LoopRunner& runner) {
    runner.stop(event_loop_);
    database_.stop_backups();
    runner.stop(backup_loop_);
}

void LongAnswers::ask(BackupDone done) {
    {
        const MutexLock lock(mutex_);
        waiting_.push_back(std::move(done));
    }
    backup_loop_.wake();
}

LongAnswers::Next LongAnswers::make_backup() {
    BackupDone done;
    {
        const MutexLock lock(mutex_);
        if (waiting_.empty()) return {};
        done = std::move(waiting_.front());
        waiting_.pop_front();
    }
    const Result<std::shared_ptr<const BackupFile>> copy = database_.back_up();
    if (copy) {
        done(rest::FileToSend{(*copy)->path(), *copy});
    } else {
        done(copy.error());
    }
    return {.at_once = true};
}

}  // namespace millrace

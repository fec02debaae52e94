#include "server/long_answers.hpp"

namespace millrace {

LongAnswers::LongAnswers(Node& node, Database& database, access::KeyCache& keys, const Clock& clock)
    : database_(database),
      event_streams_(node.queries(), node.watch(), keys, clock, {.is_shared = database.is_shared()},
                     [this] { event_thread_.wake(); }),
      event_thread_("events", [this] { return Next{.after = event_streams_.run_once()}; }),
      backup_thread_("backup", [this] { return make_backup(); }) {}

void LongAnswers::start() {
    event_thread_.start();
    backup_thread_.start();
}

void LongAnswers::stop() {
    event_thread_.stop();
    backup_thread_.stop();
}

void LongAnswers::ask(BackupDone done) {
    {
        const MutexLock lock(mutex_);
        waiting_.push_back(std::move(done));
    }
    backup_thread_.wake();
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

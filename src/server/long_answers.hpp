#pragma once

#include <deque>
#include <functional>

#include "api/rest/event_streams.hpp"
#include "api/rest/file_source.hpp"
#include "base/mutex.hpp"
#include "node/node.hpp"
#include "runtime/loop_runner.hpp"

namespace millrace {

// What takes longer than a request: streams of events, and backups, each with its loop. Outlives
// the servers that answer with it.
class LongAnswers {
public:
    LongAnswers(Node& node, Database& database, access::KeyCache& keys, const Clock& clock);

    rest::EventStreams& event_streams() { return event_streams_; }

    // One at a time: each reads all there is.
    rest::FileSource back_up() {
        return [this](BackupDone done) {
            ask(std::move(done));
        };
    }

    void start(runtime::LoopRunner& runner);
    void stop(runtime::LoopRunner& runner);

private:
    using Next = runtime::Loop::Next;
    using BackupDone = std::function<void(Result<rest::FileToSend>)>;

    void ask(BackupDone done);
    Next make_backup();

    Database& database_;
    Mutex mutex_;
    std::deque<BackupDone> waiting_ MILLRACE_GUARDED_BY(mutex_);
    runtime::Loop event_loop_;
    runtime::Loop backup_loop_;
    rest::EventStreams event_streams_;
};

}  // namespace millrace

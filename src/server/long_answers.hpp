#pragma once

#include <deque>
#include <functional>

#include "api/rest/event_streams.hpp"
#include "api/rest/file_source.hpp"
#include "base/mutex.hpp"
#include "runtime/loop_thread.hpp"
#include "server/node.hpp"

namespace millrace {

// What takes longer than a request: streams of events, and backups, each with its thread. Outlives
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

    void start();
    void stop();

private:
    using Next = runtime::LoopThread::Next;
    using BackupDone = std::function<void(Result<rest::FileToSend>)>;

    void ask(BackupDone done);
    Next make_backup();

    Database& database_;
    Mutex mutex_;
    std::deque<BackupDone> waiting_ MILLRACE_GUARDED_BY(mutex_);
    rest::EventStreams event_streams_;
    // Last: they end before what they use.
    runtime::LoopThread event_thread_;
    runtime::LoopThread backup_thread_;
};

}  // namespace millrace

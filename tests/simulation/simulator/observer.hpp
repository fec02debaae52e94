#pragma once

#include <any>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "store/job_claimer.hpp"
#include "store/reader.hpp"

namespace millrace::sim {

// What a caller got to hear.
struct Outcome {
    enum class Kind {
        ok,
        error,
        none,  // The replica died, or is dead for the caller: nobody knows what has happened.
    };

    Kind kind = Kind::none;
    ErrorCode code = ErrorCode::internal;  // Of an error.

    bool is_ok() const { return kind == Kind::ok; }
    bool is(ErrorCode wanted) const { return kind == Kind::error && code == wanted; }
    // Whether what was asked for may have happened although nobody said so.
    bool is_doubtful() const {
        return kind == Kind::none || is(ErrorCode::commit_unknown) || is(ErrorCode::internal);
    }
};

// "ok", "none" or the name of the code.
std::string_view to_string(const Outcome& outcome);

// One call of somebody outside and what came of it. A call is told of twice: when it is sent
// (outcome none, no answer), and when it is over.
struct Told {
    std::uint64_t number = 0;    // Of the call; the same both times.
    std::string_view command{};  // kName of the request; job.poll for a poll.
    WorkspaceId workspace_id{};
    std::vector<Id128> ids{};  // What it is about: instances, jobs, user tasks, executions.
    std::optional<std::string> idempotency_key{};
    int replica = 0;
    Instant submitted_at{};  // By the store's true time, as is the next one.
    Instant told_at{};
    Outcome outcome{};
    // The request as it was submitted, with its wrappers: Idempotent<Audited<StartInstance>> and so
    // on; PollJobs for a poll.
    std::any request{};
    // When ok: the answer of that request; std::vector<DeliveredJob> for a poll. Else an Error.
    std::any answer{};
};

// Looks at a run: at what really became true in the store, and at what callers were told.
class Observer {
public:
    virtual ~Observer() = default;

    // The store as it is before anything has happened.
    virtual void begin(Reader&) {}

    // This was committed, whatever its replica got to hear of that.
    virtual void on_applied(const Writes& writes, Instant store_now, int replica) = 0;
    // The same for a claim of backlog: jobs as they are locked now.
    virtual void on_claimed(const std::vector<DeliveredJob>& jobs, Instant store_now,
                            int replica) = 0;

    virtual void on_asked(const Told& call) = 0;
    virtual void on_told(const Told& call) = 0;

    // Asked after each step: the first thing that must not be, in one sentence; empty while all is
    // well. Cheap.
    virtual std::optional<std::string> violation() const = 0;

    // Now and then, and once all faults are over: compares with the rows themselves.
    virtual void compare(Reader& reader, Instant store_now) = 0;
    // When everything has come to rest: is anything left that should have happened?
    virtual void at_end(Reader& reader, Instant store_now) = 0;
};

}  // namespace millrace::sim

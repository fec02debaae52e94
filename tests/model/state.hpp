#pragma once

#include <array>
#include <compare>
#include <cstdint>

// A small model of jobs, leases, tokens and worker streams. It knows no time: whatever may happen
// at some time may happen at any time. So a delay, a lease or the grace after a broken stream ends
// whenever the explorer wants, and all orders are tried.
namespace millrace::model {

using Byte = std::uint8_t;

inline constexpr int kJobs = 2;
inline constexpr int kWorkers = 2;
inline constexpr int kStreamsOfWorker = 2;  // One that ends, and its successor.
inline constexpr int kFreesOfJob = 2;
inline constexpr Byte kSlots = 1;
inline constexpr Byte kStreamIdsMax = 3;  // Of all workers.
inline constexpr Byte kByPoll = 255;      // In place of a stream's id.

enum class Place : Byte { line, kept_back, held, ended };

struct Job {
    Place place = Place::line;
    // A claim hands out `next`. What ends a try makes it `last` and raises `next`. The engine keeps
    // both in one number, which it raises with the claim: it is `next` while the job is held and
    // `last` while it is not.
    Byte next = 1;
    Byte last = 0;
    Byte mark = 0;  // The stream that holds it; kByPoll for none.
    bool is_lease_over = false;
    Byte retries = 1;
    // Nobody in the system knows the rest: it is for the invariants.
    Byte claim = 0;          // Numbers the claims, whatever their tokens.
    Byte claims_failed = 0;  // Bits: the claims that their holders reported as failed.
    Byte completions_accepted = 0;

    friend auto operator<=>(const Job&, const Job&) = default;
};

// From `completed` on it is a report that was not acknowledged yet.
enum class Work : Byte { none, running, completed, failed, released };

// In place of the number of a claim: a mutant that never gives its slot back.
inline constexpr Byte kStuck = 255;

// What a worker knows about a job; also a message about it.
struct Hand {
    Work work = Work::none;
    Byte job = 0;
    Byte token = 0;
    Byte claim = 0;
    Byte confirmed_by = 0;  // The stream or poll that says that the lease lives; 0: none.

    friend auto operator<=>(const Hand&, const Hand&) = default;
};

struct Stream {
    Byte id = 0;                 // 0: there is none.
    bool is_closing = false;     // The server drains: it delivers nothing more on it.
    bool is_drain_read = false;  // The server knows that the worker drains.
    Byte limit = 0;              // Credit: how many jobs this stream may have carried.
    Byte sent = 0;
    Byte taken = 0;
    Hand down{};  // A job on its way to the worker.
    Hand up{};    // A report on its way to the server.

    friend auto operator<=>(const Stream&, const Stream&) = default;
};

struct Worker {
    bool is_draining = false;
    std::array<Hand, kJobs> hands{};
    std::array<Stream, kStreamsOfWorker> streams{};

    friend auto operator<=>(const Worker&, const Worker&) = default;
};

// A server that lost a stream will free this job, if it is still the same claim of that stream.
struct Free {
    Byte token = 0;  // 0: none.
    Byte mark = 0;

    friend auto operator<=>(const Free&, const Free&) = default;
};

struct State {
    std::array<Job, kJobs> jobs{};
    std::array<std::array<Free, kFreesOfJob>, kJobs> frees{};
    std::array<Worker, kWorkers> workers{};
    Byte last_stream = 0;
    Byte cuts_left = 0;    // Broken streams, dead workers and dead servers together.
    Byte drains_left = 0;  // Of workers and of servers together.

    friend auto operator<=>(const State&, const State&) = default;
};

// The rules. Each member breaks one of them: a mutant, which the explorer must find.
struct Mutant {
    bool release_keeps_the_token = false;
    bool expiry_keeps_the_token = false;
    bool next_token_is_accepted_in_line = false;
    bool resumption_keeps_the_mark = false;
    bool free_ignores_the_mark = false;
    bool release_burns_a_retry = false;
    bool repeated_failure_burns_a_retry = false;
    bool delay_never_ends = false;
    bool credit_is_raised_on_receipt = false;
    bool refused_report_keeps_its_slot = false;
};

// Who takes part, and how far the explorer looks.
struct Cast {
    std::array<bool, kWorkers> has_streams{};  // The others poll.
    Byte jobs = 1;
    Byte claims_max = 3;  // Of one job.
    Byte cuts = 0;
    Byte drains = 0;
    Mutant mutant{};
};

}  // namespace millrace::model

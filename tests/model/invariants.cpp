#include <algorithm>
#include <bit>

#include "model/moves.hpp"
#include "model/server.hpp"
#include "model/streams.hpp"

namespace millrace::model {

namespace {

template <class Look>
void for_each_hand(const State& state, Byte job, Look look) {
    for (const Worker& worker : state.workers) {
        look(worker.hands[job]);
        for (const Stream& stream : worker.streams) {
            for (const Hand& message : {stream.down, stream.up}) {
                if (message.work != Work::none && message.job == job) look(message);
            }
        }
    }
}

const char* broken_by_holders(const State& state, Byte index, const Mutant& mutant) {
    const Job& job = state.jobs[index];
    unsigned acceptable = 0;  // Bits: claims whose reports would be accepted.
    int confirmed = 0;
    bool is_freed_under_its_holder = false;
    for_each_hand(state, index, [&](const Hand& hand) {
        if (hand.work == Work::none || hand.claim == kStuck) return;
        if (accepts(job, hand.token, mutant)) acceptable |= 1u << hand.claim;
        if (hand.confirmed_by == 0 || hand.work != Work::running) return;
        confirmed += 1;
        const bool is_its = job.place == Place::held && job.claim == hand.claim;
        is_freed_under_its_holder |= !is_its && job.place != Place::ended;
    });
    if (std::popcount(acceptable) > 1) return "Two holders could both be accepted.";
    if (confirmed > 1) return "A job is at two holders whose leases live.";
    if (is_freed_under_its_holder) return "A job was taken from a holder whose lease lives.";
    const bool is_handed_out = job.place == Place::held || job.next == job.last;
    const Byte guess = static_cast<Byte>(job.next + (is_handed_out ? 1 : 0));
    if (accepts(job, guess, mutant)) return "A guessed token is accepted.";
    return nullptr;
}

const char* broken_by_job(const Job& job) {
    if (job.completions_accepted > 1) return "Two completions were accepted.";
    const int failures = std::popcount(job.claims_failed);
    if (Job{}.retries - job.retries != failures) return "A retry was burnt without a failure.";
    return nullptr;
}

}  // namespace

const char* broken_invariant(const State& state, const Cast& cast) {
    for (Byte i = 0; i < kJobs; ++i) {
        if (const char* broken = broken_by_job(state.jobs[i])) return broken;
        if (const char* broken = broken_by_holders(state, i, cast.mutant)) return broken;
    }
    const bool is_overfull = std::ranges::any_of(
        state.workers, [](const Worker& worker) { return slots_taken(worker) > kSlots; });
    return is_overfull ? "A worker got more jobs than it has slots." : nullptr;
}

bool is_finished(const State& state, const Cast& cast) {
    const bool is_over = std::ranges::all_of(state.jobs, [&](const Job& job) {
        const bool is_beyond = job.place == Place::line && job.claim == cast.claims_max;
        return job.place == Place::ended || is_beyond;
    });
    return is_over && std::ranges::all_of(state.workers, [](const Worker& worker) {
               const Stream* live = live_stream(worker);
               return slots_taken(worker) == 0 && !worker.is_draining &&
                      (live == nullptr || live->limit - live->sent == kSlots);
           });
}

}  // namespace millrace::model

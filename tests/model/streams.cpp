#include "model/streams.hpp"

#include <algorithm>
#include <utility>

#include "model/server.hpp"

namespace millrace::model {

namespace {

Byte credit_used_elsewhere(const Worker& worker, const Stream& live) {
    Byte used = 0;
    for (const Stream& each : worker.streams) {
        if (each.id == 0 || each.id == live.id) continue;
        used = static_cast<Byte>(used + (each.down.work == Work::none ? 0 : 1));
    }
    return used;
}

void remember_free(State& state, const Stream& stream) {
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        const Job& job = state.jobs[i];
        if (job.place != Place::held || job.mark != stream.id) continue;
        auto& frees = state.frees[i];
        const auto room = std::ranges::find(frees, Free{});
        // Without room the lease must do.
        if (room != frees.end()) *room = {.token = job.next, .mark = stream.id};
    }
}

}  // namespace

const Stream* live_stream(const Worker& worker) {
    const auto found = std::ranges::find_if(
        worker.streams, [](const Stream& each) { return each.id != 0 && !each.is_closing; });
    return found == worker.streams.end() ? nullptr : &*found;
}

Stream* live_stream(Worker& worker) {
    return const_cast<Stream*>(live_stream(std::as_const(worker)));
}

Byte slots_taken(const Worker& worker) {
    return static_cast<Byte>(std::ranges::count_if(
        worker.hands, [](const Hand& hand) { return hand.work != Work::none; }));
}

void raise_credit(Worker& worker, const Cast& cast) {
    Stream* live = live_stream(worker);
    if (live == nullptr || worker.is_draining) return;
    const bool ignores_work = cast.mutant.credit_is_raised_on_receipt;
    const Byte used = static_cast<Byte>((ignores_work ? 0 : slots_taken(worker)) +
                                        credit_used_elsewhere(worker, *live));
    const Byte free = used < kSlots ? static_cast<Byte>(kSlots - used) : Byte{0};
    live->limit = std::max(live->limit, static_cast<Byte>(live->taken + free));
}

void open_stream(State& state, Worker& worker, const Cast& cast) {
    const auto room = std::ranges::find(worker.streams, Byte{0}, &Stream::id);
    *room = {.id = ++state.last_stream};
    for (Hand& hand : worker.hands) {
        if (hand.work == Work::none) continue;
        const bool is_held = extend(state.jobs[hand.job], hand.token, room->id, cast.mutant);
        if (is_held) hand.confirmed_by = room->id;
        // A report may still be accepted, as that of a late holder; work in vain ends.
        if (!is_held && hand.work == Work::running) hand = {};
    }
    raise_credit(worker, cast);
}

void cut_stream(State& state, Worker& worker, Stream& stream, bool is_server_alive) {
    if (is_server_alive) remember_free(state, stream);
    for (Hand& hand : worker.hands) {
        if (hand.confirmed_by == stream.id) hand.confirmed_by = 0;
    }
    stream = {};
}

void take_job(const State& state, Worker& worker, Stream& stream) {
    Hand hand = stream.down;
    const Job& job = state.jobs[hand.job];
    const bool lives = job.place == Place::held && job.claim == hand.claim && !job.is_lease_over;
    if (lives) hand.confirmed_by = stream.id;
    worker.hands[hand.job] = hand;
    stream.down = {};
    stream.taken = static_cast<Byte>(stream.taken + 1);
}

}  // namespace millrace::model

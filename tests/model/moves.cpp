#include "model/moves.hpp"

#include <algorithm>

#include "model/server.hpp"
#include "model/streams.hpp"

namespace millrace::model {

namespace {

// One step of the explorer: a copy of the state that a move may change.
class Moves {
public:
    Moves(const State& state, const Cast& cast, const Visit& visit)
        : state_(state), cast_(cast), visit_(visit) {}

    void of_servers();
    void of_streams(std::size_t worker);
    void of_worker(std::size_t worker);

private:
    template <class Change>
    void move(const char* name, Change change) const {
        State next = state_;
        change(next);
        for (std::size_t i = 0; i < kWorkers; ++i) raise_credit(next.workers[i], cast_);
        if (next != state_) visit_(name, next);
    }

    void claims(std::size_t worker);
    void reports(std::size_t worker, std::size_t hand);
    void ends_of_streams(std::size_t worker, std::size_t stream);
    // The acknowledgement of a report, or of its refusal, has arrived.
    void settle(Worker& worker, const Hand& report, bool is_accepted) const;

    const State& state_;
    const Cast& cast_;
    const Visit& visit_;
};

void Moves::of_servers() {
    for (std::size_t i = 0; i < kJobs; ++i) {
        const Job& job = state_.jobs[i];
        if (job.place == Place::kept_back && !cast_.mutant.delay_never_ends) {
            move("a delay ends", [i](State& next) { next.jobs[i].place = Place::line; });
        }
        if (job.place == Place::held && !job.is_lease_over) {
            move("a lease runs out", [i](State& next) {
                next.jobs[i].is_lease_over = true;
                for (Worker& each : next.workers) each.hands[i].confirmed_by = 0;
            });
        }
        if (job.place == Place::held && job.is_lease_over) {
            move("the reaper frees a job",
                 [&, i](State& next) { expire(next.jobs[i], cast_.mutant); });
        }
        if (i == 0 && job.place != Place::ended) {
            move("an instance is cancelled",
                 [](State& next) { next.jobs[0].place = Place::ended; });
        }
        for (std::size_t f = 0; f < kFreesOfJob; ++f) {
            if (state_.frees[i][f].token == 0) continue;
            move("a server frees a job of a lost stream", [&, i, f](State& next) {
                free_lost(next.jobs[i], next.frees[i][f], cast_.mutant);
                next.frees[i][f] = {};
            });
        }
    }
}

void Moves::claims(std::size_t worker) {
    const Worker& who = state_.workers[worker];
    for (std::size_t i = 0; i < kJobs; ++i) {
        const Job& job = state_.jobs[i];
        if (job.place != Place::line || job.claim == cast_.claims_max) continue;
        const Byte index = static_cast<Byte>(i);
        const Stream* live = live_stream(who);
        const bool has_room = slots_taken(who) < kSlots && !who.is_draining;
        if (!cast_.has_streams[worker] && has_room) {
            move("a poll gets a job", [worker, i, index](State& next) {
                Hand hand = claim(next.jobs[i], index, kByPoll);
                hand.confirmed_by = kByPoll;
                next.workers[worker].hands[i] = hand;
            });
            move("the answer of a poll is lost",
                 [i, index](State& next) { claim(next.jobs[i], index, kByPoll); });
        }
        if (live == nullptr || live->is_drain_read || live->sent >= live->limit) continue;
        if (live->down.work != Work::none) continue;
        move("a stream carries a job", [worker, i, index](State& next) {
            Stream& stream = *live_stream(next.workers[worker]);
            stream.down = claim(next.jobs[i], index, stream.id);
            stream.sent = static_cast<Byte>(stream.sent + 1);
        });
    }
}

void Moves::settle(Worker& worker, const Hand& report, bool is_accepted) const {
    Hand& hand = worker.hands[report.job];
    const bool is_same = hand.claim == report.claim && hand.work == report.work;
    if (!is_same) return;
    const bool is_stuck = !is_accepted && cast_.mutant.refused_report_keeps_its_slot;
    // Nothing ends work that is running without a claim of its own.
    hand = is_stuck ? Hand{.work = Work::released, .job = report.job, .claim = kStuck} : Hand{};
}

// A report by stream, or by call where there is none, and its answer, which may be lost.
void Moves::reports(std::size_t worker, std::size_t h) {
    const Hand& hand = state_.workers[worker].hands[h];
    if (hand.claim == kStuck) return;
    if (hand.work == Work::running) {
        for (const Work end : {Work::completed, Work::failed, Work::released}) {
            move("a worker ends its work",
                 [=](State& next) { next.workers[worker].hands[h].work = end; });
        }
        const Stream* live = live_stream(state_.workers[worker]);
        const Byte mark = live == nullptr ? kByPoll : live->id;
        if (cast_.has_streams[worker] && live == nullptr) return;
        move("a worker extends a lease", [&, worker, h, mark](State& next) {
            Hand& mine = next.workers[worker].hands[h];
            const bool is_held = extend(next.jobs[h], mine.token, mark, cast_.mutant);
            mine.confirmed_by = mark;
            if (!is_held) mine = {};
        });
        return;
    }
    if (hand.work == Work::none) return;
    for (const bool is_delayed : {false, true}) {
        if (live_stream(state_.workers[worker]) != nullptr) break;
        move("a call reports", [&, worker, h, is_delayed](State& next) {
            const Hand report = next.workers[worker].hands[h];
            const bool is_ok = apply_report(next.jobs[h], report, is_delayed, cast_.mutant);
            settle(next.workers[worker], report, is_ok);
        });
        move("a call reports, its answer is lost", [&, worker, h, is_delayed](State& next) {
            apply_report(next.jobs[h], next.workers[worker].hands[h], is_delayed, cast_.mutant);
        });
    }
    for (std::size_t s = 0; s < kStreamsOfWorker; ++s) {
        const Stream& stream = state_.workers[worker].streams[s];
        if (stream.id == 0 || stream.up.work != Work::none) continue;
        move("a report goes up a stream", [=](State& next) {
            next.workers[worker].streams[s].up = next.workers[worker].hands[h];
        });
    }
}

void Moves::ends_of_streams(std::size_t worker, std::size_t s) {
    const auto cut = [&, worker, s](bool is_server_alive) {
        return [=](State& next) {
            next.cuts_left = static_cast<Byte>(next.cuts_left - 1);
            Worker& who = next.workers[worker];
            cut_stream(next, who, who.streams[s], is_server_alive);
        };
    };
    if (state_.cuts_left > 0) {
        move("a stream breaks", cut(true));
        move("a server dies", cut(false));
    }
    const Stream& stream = state_.workers[worker].streams[s];
    const Worker& who = state_.workers[worker];
    if (!stream.is_closing && state_.drains_left > 0) {
        move("a server drains", [=](State& next) {
            next.drains_left = static_cast<Byte>(next.drains_left - 1);
            next.workers[worker].streams[s].is_closing = true;
        });
    }
    const bool is_idle = stream.down.work == Work::none && stream.up.work == Work::none;
    if (stream.is_closing) {
        move("a server that drains ends a stream", [=](State& next) {
            Worker& mine = next.workers[worker];
            cut_stream(next, mine, mine.streams[s], true);
        });
    }
    if (who.is_draining && !stream.is_drain_read) {
        move("a server reads that a worker drains",
             [=](State& next) { next.workers[worker].streams[s].is_drain_read = true; });
    }
    if (stream.is_drain_read && is_idle && slots_taken(who) == 0) {
        move("a worker that drained leaves", [=](State& next) {
            Worker& mine = next.workers[worker];
            cut_stream(next, mine, mine.streams[s], true);
        });
    }
}

void Moves::of_streams(std::size_t worker) {
    for (std::size_t s = 0; s < kStreamsOfWorker; ++s) {
        const Stream& stream = state_.workers[worker].streams[s];
        if (stream.id == 0) continue;
        ends_of_streams(worker, s);
        if (stream.down.work != Work::none) {
            move("a job arrives", [=](State& next) {
                Worker& who = next.workers[worker];
                take_job(next, who, who.streams[s]);
            });
        }
        if (stream.up.work == Work::none) continue;
        for (const bool is_delayed : {false, true}) {
            move("a server reads a report", [&, worker, s, is_delayed](State& next) {
                Worker& who = next.workers[worker];
                const Hand report = who.streams[s].up;
                who.streams[s].up = {};
                const bool is_ok =
                    apply_report(next.jobs[report.job], report, is_delayed, cast_.mutant);
                settle(who, report, is_ok);
            });
            if (state_.cuts_left == 0) continue;
            move("a server reads a report, then the stream breaks",
                 [&, worker, s, is_delayed](State& next) {
                     Worker& who = next.workers[worker];
                     const Hand report = who.streams[s].up;
                     apply_report(next.jobs[report.job], report, is_delayed, cast_.mutant);
                     cut_stream(next, who, who.streams[s], true);
                     next.cuts_left = static_cast<Byte>(next.cuts_left - 1);
                 });
        }
    }
}

void Moves::of_worker(std::size_t worker) {
    const Worker& who = state_.workers[worker];
    claims(worker);
    for (std::size_t h = 0; h < kJobs; ++h) reports(worker, h);
    const bool has_room = std::ranges::count(who.streams, Byte{0}, &Stream::id) > 0;
    const bool may_open = cast_.has_streams[worker] && live_stream(who) == nullptr && has_room &&
                          !who.is_draining && state_.last_stream < kStreamIdsMax;
    if (may_open) {
        move("a worker opens a stream",
             [&, worker](State& next) { open_stream(next, next.workers[worker], cast_); });
    }
    if (!who.is_draining && state_.drains_left > 0) {
        move("a worker drains", [=](State& next) {
            next.workers[worker].is_draining = true;
            next.drains_left = static_cast<Byte>(next.drains_left - 1);
        });
    }
    const bool has_left = live_stream(who) == nullptr && slots_taken(who) == 0;
    if (who.is_draining && has_left) {
        move("a worker that drained returns",
             [=](State& next) { next.workers[worker].is_draining = false; });
    }
    if (state_.cuts_left > 0 && slots_taken(who) > 0) {
        move("a worker dies", [=](State& next) {
            Worker& dead = next.workers[worker];
            for (Stream& stream : dead.streams) {
                if (stream.id != 0) cut_stream(next, dead, stream, true);
            }
            dead = {};
            next.cuts_left = static_cast<Byte>(next.cuts_left - 1);
        });
    }
}

}  // namespace

State first_state(const Cast& cast) {
    State state{.cuts_left = cast.cuts, .drains_left = cast.drains};
    for (std::size_t i = cast.jobs; i < kJobs; ++i) state.jobs[i].place = Place::ended;
    return state;
}

void for_each_move(const State& state, const Cast& cast, const Visit& visit) {
    Moves moves(state, cast, visit);
    moves.of_servers();
    for (std::size_t worker = 0; worker < kWorkers; ++worker) {
        moves.of_worker(worker);
        moves.of_streams(worker);
    }
}

}  // namespace millrace::model

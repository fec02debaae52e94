#include "simulator/world.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr Instant kBeginning{std::chrono::sys_days{std::chrono::year{2026} / 3 / 2} + 9h};
// What a round takes.
constexpr Duration kRoundLeast = 20us;
constexpr Duration kRoundMost = 3ms;
constexpr int kInterleavedMost = 6;
// Once all faults are over.
constexpr Duration kHelpInterval = 2s;
constexpr Duration kHealMost = 4h;
constexpr int kQuietRounds = 40;

}  // namespace

World::World(std::uint64_t seed, Swarm swarm, Database& inner)
    : swarm_(std::move(swarm)),
      schedule_(seed_of(seed, "schedule")),
      store_(inner, trace_, kBeginning),
      reader_(inner.reader()) {
    calls_.on_end([this](const Told& told, const OpenCalls::FaultCounts& before) {
        note_call_end(told, before);
    });
    for (int number = 0; number < swarm_.replicas; ++number) {
        replicas_.push_back(std::make_unique<SimReplica>(number, *this, store_, seed));
    }
}

World::~World() = default;

void World::add_observer(Observer& observer) {
    observers_.push_back(&observer);
    store_.add_observer(observer);
    calls_.add_observer(observer);
}

Instant World::store_time() {
    return swarm_.is_shared ? store_.now() : replicas_.front()->machine().now();
}

std::vector<int> World::replicas_up() const {
    std::vector<int> up;
    for (const auto& replica : replicas_) {
        if (replica->is_up()) up.push_back(replica->number());
    }
    return up;
}

void World::push(int number, std::vector<std::unique_ptr<Command>> commands) {
    replica(number).node()->commands().push(std::move(commands));
}

std::optional<JobBroker::PollId> World::poll(CallInfo info, PollJobs request,
                                             std::function<void(Result<Jobs>)> done) {
    Node* node = replica(info.replica).node();
    if (node == nullptr) return std::nullopt;
    const std::uint64_t number = begin_call(info, "job.poll", request, [done] { done(gone()); });
    return node->broker().poll(std::move(request), [this, number, done](const Result<Jobs>& jobs) {
        const Outcome outcome =
            jobs ? Outcome{Outcome::Kind::ok} : Outcome{Outcome::Kind::error, jobs.error().code};
        std::any told = jobs ? std::any(*jobs) : std::any(jobs.error());
        if (calls_.end(number, store_time(), outcome, std::move(told))) done(jobs);
    });
}

void World::begin() {
    for (Observer* observer : observers_) observer->begin(*reader_);
    for (const auto& replica : replicas_) replica->start();
    for (Actor* actor : actors_) actor->enter(*this);
    check();
}

void World::run(const EventPlan& plan) {
    for (const Event& event : plan) {
        run_until(event.at);
        if (violation_) return;
        act(event);
        check();
    }
}

void World::heal() {
    is_healing_ = true;
    for (const auto& replica : replicas_) replica->heal();
    const Instant give_up_at = now() + kHealMost;
    int quiet = 0;
    while (!violation_ && quiet < kQuietRounds) {
        run_until(now() + kHelpInterval);
        if (violation_) return;
        const bool is_asked = calls_.size() > 0;
        const bool was_busy = help() || is_asked;
        quiet = was_busy ? 0 : quiet + 1;
        if (now() > give_up_at) {
            tell_rest();
            fail("The world does not come to rest.");
        }
    }
    tell_rest();
}

void World::tell_rest() {
    for (Observer* observer : observers_) {
        if (violation_) return;
        observer->compare(*reader_, store_time());
        observer->at_end(*reader_, store_time());
        check();
    }
    for (const auto& replica : replicas_) {
        const bool is_well = replica->is_up() && replica->node()->is_healthy();
        if (!is_well) fail("At rest r" + std::to_string(replica->number()) + " is not ready.");
    }
}

bool World::step(Instant until) {
    for (const auto& replica : replicas_) replica->come_back_if_due();
    if (run_one()) {
        check();
        return true;
    }
    const std::optional<Instant> next = next_at();
    const bool is_more = next && *next < until;
    const Instant then = is_more ? *next : until;
    if (then > now()) store_.pass(then - now());
    return is_more;
}

void World::interleave() {
    if (std::exchange(is_interleaved_, true)) return;
    const int rounds = schedule_.between(1, kInterleavedMost);
    try {
        for (int round = 0; round < rounds && run_one(); ++round) check();
    } catch (const Killed&) {
        is_interleaved_ = false;
        throw;
    }
    is_interleaved_ = false;
}

void World::fail(std::string sentence) {
    if (violation_) return;
    trace_.add(now(), [&] { return "VIOLATION " + sentence; });
    violation_ = std::move(sentence);
}

bool World::run_one() {
    runnable_.clear();
    for (const auto& replica : replicas_) {
        places_.clear();
        replica->add_runnable(places_);
        for (const std::size_t place : places_) runnable_.push_back({replica.get(), place});
    }
    if (runnable_.empty()) return false;
    const Runnable chosen = schedule_.pick(runnable_);
    steps_ += 1;
    store_.pass(schedule_.between(kRoundLeast, kRoundMost));
    chosen.replica->run(chosen.loop);
    return true;
}

void World::run_until(Instant until) {
    while (!violation_ && now() < until && step(until)) {
    }
}

std::optional<Instant> World::next_at() {
    std::optional<Instant> next;
    for (const auto& replica : replicas_) {
        const std::optional<Instant> at = replica->next_at();
        if (at) next = std::min(next.value_or(Instant::max()), *at);
    }
    return next;
}

void World::act(const Event& event) {
    Actor& actor = *actors_.at(event.actor);
    trace_.add(now(), [&] {
        return "event " + std::to_string(event.number) + " " + std::string(actor.name());
    });
    actor.act(event, *this);
}

bool World::help() {
    bool was_needed = false;
    for (Actor* actor : actors_) was_needed = actor->help(*this) || was_needed;
    return was_needed;
}

void World::check() {
    for (const Observer* observer : observers_) {
        if (violation_) return;
        if (auto found = observer->violation()) fail(std::move(*found));
    }
}

void World::note_call_end(const Told& told, const OpenCalls::FaultCounts& before) {
    trace_.mix(to_string(told.outcome));
    trace_.add(now(), [&] {
        return "r" + std::to_string(told.replica) + " tells of " + std::string(told.command) +
               " #" + std::to_string(told.number) + ": " + std::string(to_string(told.outcome));
    });
    if (!call_note_) return;
    std::vector<Fault> met;
    const Weather::Counts& after = replica(told.replica).weather().counts();
    for (std::size_t fault = 0; fault < kFaultCount; ++fault) {
        if (after.at(fault) > before.at(fault)) met.push_back(static_cast<Fault>(fault));
    }
    call_note_(told, met);
}

std::uint64_t World::begin_call(const CallInfo& info, std::string_view command, std::any request,
                                std::function<void()> lost) {
    Told told{.command = command,
              .workspace_id = info.workspace_id,
              .ids = info.ids,
              .idempotency_key = info.idempotency_key,
              .replica = info.replica,
              .submitted_at = store_time(),
              .request = std::move(request)};
    trace_.add(now(), [&] {
        std::string line = "r" + std::to_string(info.replica) + " is asked " +
                           std::string(command) + " " + info.workspace_id.value;
        for (const Id128& id : info.ids) line += " " + to_string(id);
        return line;
    });
    return calls_.begin(std::move(told), replica(info.replica).weather().counts(), std::move(lost));
}

}  // namespace millrace::sim

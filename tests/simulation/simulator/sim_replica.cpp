#include "simulator/sim_replica.hpp"

#include <algorithm>
#include <chrono>

#include "core/queue/workspace.hpp"
#include "simulator/world.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr Duration kWrongMost = 1h;          // How wrong the clock of a machine is.
constexpr Duration kDownMost = 40s;          // Until a replica that died is started again.
constexpr Duration kStopPatience = 10s;      // As `serve` has it: for commands that wait.
constexpr Duration kStopMost = 2min;         // All of a stop.
constexpr Duration kStopRound = 5ms;         // A round while it stops.
constexpr Duration kListenerPatience = 10s;  // As ReplicaLink has it.
constexpr std::string_view kHearing = "hints in";

// Nobody reads what nodes say of themselves here; it is made once for all runs.
struct Silence {
    observe::Metrics metrics{};
    observe::Log log{{.level = observe::LogLevel::error, .sink = [](std::string_view) {
                      }}};
    observe::Tracer tracer{};
};

Silence& silence() {
    static Silence only;
    return only;
}

Duration wrong_by(std::uint64_t seed, int replica) {
    SimRandom random(seed_of(seed, "clock", static_cast<std::uint64_t>(replica)));
    return random.chance(30) ? Duration::zero() : random.between(-kWrongMost, kWrongMost);
}

Housekeeping::Rules rules_of(Duration kept) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(kept).count();
    const std::string text = "PT" + std::to_string(seconds) + "S";
    using Subject = RetentionRules::Subject;
    return {.instances = *RetentionRules::parse(text, Subject::instances),
            .audit = *RetentionRules::parse(text, Subject::audit)};
}

}  // namespace

SimReplica::Life::Life(SimReplica& replica, std::uint64_t seed, bool is_store_shared)
    : random(seed),
      is_shared(is_store_shared),
      store_clock(replica.machine_, replica.machine_.steady()),
      database(replica.line(*this)),
      ids(clock(), random),
      node({database, clock(), random, silence().metrics, silence().tracer, silence().log},
           replica.options(*this)) {}

const Clock& SimReplica::Life::clock() const {
    return store_clock;
}

SimReplica::SimReplica(int number, World& world, SharedStore& store, std::uint64_t seed)
    : number_(number),
      world_(world),
      store_(store),
      seed_(seed_of(seed, "replica", static_cast<std::uint64_t>(number))),
      machine_(store, world.swarm().is_shared ? wrong_by(seed, number) : Duration::zero()) {}

SimReplica::~SimReplica() = default;

void SimReplica::start() {
    start_at_.reset();
    lives_ += 1;
    life_ = std::make_unique<Life>(*this, seed_of(seed_, "life", lives_), world_.swarm().is_shared);
    life_->node.start(*this);
    world_.trace().add(store_.now(), [this] { return "r" + std::to_string(number_) + " is up"; });
}

void SimReplica::kill() {
    if (!life_) return;
    weather_.count(Fault::restarted);
    world_.trace().add(store_.now(),
                       [this] { return "r" + std::to_string(number_) + " is killed"; });
    end_life();
}

void SimReplica::stop() {
    if (!life_) return;
    weather_.count(Fault::restarted);
    wake();
    bool is_killed = false;
    is_stopping_ = true;
    try {
        life_->node.answer_polls();
        life_->node.stop(*this, life_->clock().now() + kStopPatience);
    } catch (const Killed&) {
        is_killed = true;
    }
    is_stopping_ = false;
    world_.trace().add(store_.now(),
                       [this] { return "r" + std::to_string(number_) + " has stopped"; });
    if (!is_killed && world_.calls().count(number_) > 0) {
        world_.fail("A replica that stopped in order left a call without an answer.");
    }
    end_life();
}

void SimReplica::end_life() {
    wake();
    loops_.clear();
    SimRandom random(seed_of(seed_, "down", lives_));
    start_at_ = store_.now() + random.between(0us, kDownMost);
    life_.reset();
    world_.calls().lose(number_, world_.store_time());
}

void SimReplica::heal() {
    weather_.clear();
    wake();
    machine_.go_on();
    if (!life_) start();
}

void SimReplica::fall_asleep(Instant until, Sleep how) {
    is_asleep_ = true;
    asleep_until_ = until;
    if (how != Sleep::process) machine_.fall_asleep(how == Sleep::paused_machine);
}

void SimReplica::wake() {
    is_asleep_ = false;
    machine_.wake();
}

void SimReplica::come_back_if_due() {
    if (is_asleep_ && asleep_until_ <= store_.now()) wake();
    if (start_at_ && *start_at_ <= store_.now()) start();
}

void SimReplica::add_runnable(std::vector<std::size_t>& loops) {
    const Instant now = store_.now();
    if (!life_ || is_asleep_) return;
    for (std::size_t place = 0; place < loops_.size(); ++place) {
        if (is_runnable(loops_[place], now)) loops.push_back(place);
    }
}

std::optional<Instant> SimReplica::next_at() {
    if (!life_) return start_at_;
    if (is_asleep_) return asleep_until_;
    std::optional<Instant> next;
    const auto add = [&next](std::optional<Instant> at) {
        if (at) next = std::min(next.value_or(Instant::max()), *at);
    };
    for (const LoopState& state : loops_) {
        if (state.is_woken && state.paused_until) add(state.paused_until);
        add(state.due_at);
        if (state.hears_hints) add(life_->database.next_hint_at());
    }
    return next;
}

void SimReplica::run(std::size_t loop) {
    try {
        run_loop(loops_.at(loop));
    } catch (const Killed&) {
        if (is_stopping_ || is_in_round()) throw;
        world_.trace().add(store_.now(),
                           [this] { return "r" + std::to_string(number_) + " dies in a call"; });
        end_life();
    }
}

void SimReplica::start(runtime::Loop& loop) {
    loops_.push_back({.loop = &loop, .hears_hints = loop.name() == kHearing});
}

void SimReplica::stop(runtime::Loop& loop) {
    loop.stop();
    std::erase_if(loops_, [&loop](const LoopState& state) { return state.loop == &loop; });
}

// The others go on meanwhile, as threads would.
void SimReplica::finish(runtime::Loop& loop) {
    const Instant give_up_at = store_.now() + kStopMost;
    SimRandom random(seed_of(seed_, loop.name(), lives_));
    std::vector<std::size_t> others;
    state_of(loop).is_woken = true;  // It looks once more.
    while (true) {
        LoopState& state = state_of(loop);
        state.paused_until.reset();  // One that is to end does not wait for better times.
        if (is_runnable(state, store_.now())) run_loop(state);
        state.is_woken = loop.is_woken() || state.is_woken;
        if (!state.due_at && !state.is_woken) break;
        store_.pass(kStopRound);
        others.clear();
        add_runnable(others);
        if (!others.empty()) run_loop(loops_.at(random.pick(others)));
        if (store_.now() < give_up_at) continue;
        world_.fail("The loop '" + loop.name() + "' does not come to its end.");
        break;
    }
    stop(loop);
}

Line SimReplica::line(Life& life) {
    Line line{.store = store_,
              .time = life.is_shared ? static_cast<const Clock&>(store_) : machine_,
              .weather = weather_,
              .replica = number_,
              .is_shared = life.is_shared,
              .committers = world_.swarm().committers,
              .interleave = [this] { world_.interleave(); },
              .random = life.random.branch()};
    if (!life.is_shared) return line;
    line.on_server_time = [this, &life] {
        life.store_clock.observe(store_.now());
    };
    return line;
}

Node::Options SimReplica::options(Life& life) {
    // The server has opened the store by now: no part of the node begins with a wrong time.
    if (life.is_shared) life.store_clock.observe(store_.now());
    Node::Options options;
    options.self = {.id = Id128::for_instance(life.clock().now(), life.random.next()),
                    .name = "r" + std::to_string(number_),
                    .version = "simulated"};
    const std::string owner = to_string(options.self.id);
    options.queue.dispatcher.owner = owner;
    options.queue.dispatcher.plans = default_plans();
    options.queue.remote.owner = owner;
    if (const std::optional<Duration> kept = world_.swarm().kept)
        options.retention = rules_of(*kept);
    for (Actor* actor : world_.actors()) actor->equip(options, number_, world_);
    return options;
}

bool SimReplica::is_in_round() const {
    return std::ranges::any_of(loops_, &LoopState::is_in_round);
}

SimReplica::LoopState& SimReplica::state_of(const runtime::Loop& loop) {
    const auto found = std::ranges::find(loops_, &loop, &LoopState::loop);
    MILLRACE_CHECK(found != loops_.end());
    return *found;
}

bool SimReplica::is_runnable(LoopState& state, Instant now) {
    if (state.is_in_round) return false;
    state.is_woken = state.loop->is_woken() || state.is_woken;
    if (state.paused_until && *state.paused_until > now) return false;
    if (state.is_woken || (state.due_at && *state.due_at <= now)) return true;
    if (!state.hears_hints) return false;
    const std::optional<Instant> hint_at = life_->database.next_hint_at();
    return hint_at && *hint_at <= now;
}

void SimReplica::run_loop(LoopState& state) {
    runtime::Loop& loop = *state.loop;
    loop.take_wake();  // Not before: until it gets up, others are woken for what comes next.
    state.is_woken = false;
    state.due_at.reset();
    state.paused_until.reset();
    world_.trace().mix(loop.name());
    state.is_in_round = true;
    try {
        note_next(state, loop.run_once());
    } catch (const Killed&) {
        state.is_in_round = false;
        throw;
    }
    state.is_in_round = false;
}

// The loop that listens waits in its call elsewhere; here it is called when there is something.
void SimReplica::note_next(LoopState& state, const runtime::Loop::Next& next) {
    const Instant now = store_.now();
    if (next.at_once && state.hears_hints) {
        state.due_at = now + kListenerPatience;
    } else if (next.at_once) {
        state.is_woken = true;
    } else if (next.after) {
        state.due_at = now + *next.after;
        if (next.is_pause) state.paused_until = state.due_at;
    }
}

}  // namespace millrace::sim

#include "simulator/workers.hpp"

#include <chrono>

#include "engine/complete_job.hpp"
#include "engine/extend_lease.hpp"
#include "engine/fail_job.hpp"
#include "engine/release_job.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kReportedMax = 20;
constexpr std::size_t kPollsMax = 20;
constexpr int kReportsMost = 10;

LeaseProof proof_of(const DeliveredJob& job) {
    return {job.job.lease->worker_id, job.job.lease_token};
}

const std::vector<JobType>& job_types() {
    static const std::vector<JobType> all{{"a"}, {"b"}, {"c"}};
    return all;
}

}  // namespace

Workers::Workers(const Swarm& swarm, std::uint64_t seed)
    : swarm_(swarm),
      seed_(seed_of(seed, "workers")),
      deeds_(choices(), SimRandom(seed_of(seed_, "deeds"))) {}

std::vector<Deeds<Workers>::Choice> Workers::choices() {
    return {{40, &Workers::poll},        {3, &Workers::hang_up},
            {35, &Workers::complete},    {5, &Workers::complete_many},
            {5, &Workers::report_again}, {4, &Workers::report_wrongly},
            {8, &Workers::fail},         {5, &Workers::extend},
            {4, &Workers::vanish},       {6, &Workers::release}};
}

bool Workers::help(World& world) {
    const std::vector<int> up = world.replicas_up();
    if (up.empty()) return true;
    SimRandom random(seed_of(seed_, "help", ++helps_));
    Deed deed{world, random.branch(), random.pick(up)};
    const bool was_needed = !in_hand_.empty();
    while (!in_hand_.empty()) complete(deed);
    send_poll(deed, {.worker_id = {"helper"},
                     .job_types = job_types(),
                     .jobs_max = 100,
                     .lease_duration = 30s});
    return was_needed;
}

void Workers::poll(Deed& deed) {
    SimRandom& random = deed.random;
    PollJobs request{.worker_id = {"w" + std::to_string(random.below(4))},
                     .jobs_max = random.chance(50) ? 1 : random.between(2, 10),
                     .lease_duration = std::max<Duration>(5s, swarm_.lease / random.between(1, 3))};
    if (!random.chance(20)) request.workspace_id = random.pick(swarm_.workspaces);
    for (const JobType& type : job_types()) {
        if (random.chance(70)) request.job_types.push_back(type);
    }
    if (request.job_types.empty()) request.job_types.push_back(job_types().front());
    if (random.chance(50)) request.wait_duration = random.between(100ms, 60s);
    send_poll(deed, std::move(request));
}

void Workers::send_poll(Deed& deed, PollJobs request) {
    CallInfo info{.replica = deed.replica};
    if (request.workspace_id) info.workspace_id = *request.workspace_id;
    const auto id = deed.world.poll(info, std::move(request), [this](Result<World::Jobs> jobs) {
        if (!jobs) return;
        for (DeliveredJob& job : *jobs) in_hand_.push_back(std::move(job));
    });
    if (!id) return;
    polls_.push_back({deed.replica, *id});
    if (polls_.size() > kPollsMax) polls_.erase(polls_.begin());
}

// The worker is gone while it waits, or just after its answer.
void Workers::hang_up(Deed& deed) {
    if (polls_.empty()) return;
    const OpenPoll poll = deed.random.pick(polls_);
    if (Node* node = deed.world.replica(poll.replica).node()) node->broker().abandon(poll.id);
}

void Workers::complete(Deed& deed) {
    const std::optional<DeliveredJob> job = take_job(deed);
    if (!job) return;
    send_complete(deed.world, deed.replica, *job, json_from(random_changes(deed.random)));
    reported_.push_back(*job);
    if (reported_.size() > kReportedMax) reported_.pop_front();
}

void Workers::complete_many(Deed& deed) {
    if (!swarm_.has_bulk) return complete(deed);
    std::vector<std::unique_ptr<Command>> many;
    while (many.size() < kReportsMost) {
        const std::optional<DeliveredJob> job = take_job(deed);
        if (!job) break;
        many.push_back(deed.world.make_command(
            about(*job, deed.replica),
            CompleteJob{.job = job->job.key,
                        .proof = proof_of(*job),
                        .variables = json_from(random_changes(deed.random))}));
    }
    if (!many.empty()) deed.world.push(deed.replica, std::move(many));
}

// The answer got lost, or the worker's own mind: it says so once more.
void Workers::report_again(Deed& deed) {
    if (reported_.empty()) return;
    const DeliveredJob& job = deed.random.pick(reported_);
    if (deed.random.chance(70)) {
        return send_complete(deed.world, deed.replica, job, json_from(random_changes(deed.random)));
    }
    if (deed.random.chance(30)) {
        return deed.world.submit(about(job, deed.replica),
                                 ReleaseJob{.job = job.job.key, .proof = proof_of(job)});
    }
    deed.world.submit(about(job, deed.replica), FailJob{.job = job.job.key,
                                                        .proof = proof_of(job),
                                                        .retryable = deed.random.chance(50),
                                                        .message = "again"});
}

// With the right of somebody else, or with none at all.
void Workers::report_wrongly(Deed& deed) {
    if (in_hand_.empty()) return;
    const DeliveredJob& job = deed.random.pick(in_hand_);
    CompleteJob command{.job = job.job.key, .proof = proof_of(job)};
    switch (deed.random.below(4)) {
        case 0: command.proof.lease_token = *command.proof.lease_token - 1; break;
        case 1: command.proof = {WorkerId{"stranger"}, std::nullopt}; break;
        case 2: command.job.workspace_id = {"elsewhere"}; break;
        default: command.proof = {}; break;
    }
    CallInfo info = about(job, deed.replica);
    info.workspace_id = command.job.workspace_id;
    deed.world.submit(info, std::move(command));
}

void Workers::fail(Deed& deed) {
    const std::optional<DeliveredJob> job = take_job(deed);
    if (!job) return;
    FailJob failure{.job = job->job.key,
                    .proof = proof_of(*job),
                    .retryable = deed.random.chance(80),
                    .message = "simulated"};
    if (deed.random.chance(30)) failure.retry_after = deed.random.between(0s, 30s);
    deed.world.submit(about(*job, deed.replica), std::move(failure));
    reported_.push_back(*job);
    if (reported_.size() > kReportedMax) reported_.pop_front();
}

// A worker that stops, or has no room. It reports again later, as others do.
void Workers::release(Deed& deed) {
    const std::optional<DeliveredJob> job = take_job(deed);
    if (!job) return;
    ReleaseJob command{.job = job->job.key, .proof = proof_of(*job), .reason = "simulated"};
    if (deed.random.chance(50)) command.delay = deed.random.between(0s, 30s);
    if (Node* node = deed.world.replica(deed.replica).node()) {
        node->broker().pass_over(job->job.key, job->job.job_type, command.proof.worker_id);
    }
    deed.world.submit(about(*job, deed.replica), std::move(command));
    reported_.push_back(*job);
    if (reported_.size() > kReportedMax) reported_.pop_front();
}

void Workers::extend(Deed& deed) {
    const std::deque<DeliveredJob>& jobs =
        !reported_.empty() && deed.random.chance(15) ? reported_ : in_hand_;
    if (jobs.empty()) return;
    const DeliveredJob& job = deed.random.pick(jobs);
    deed.world.submit(about(job, deed.replica),
                      ExtendLease{.job = job.job.key,
                                  .proof = proof_of(job),
                                  .lease_duration = deed.random.between(5s, 60s)});
}

void Workers::vanish(Deed& deed) {
    (void)take_job(deed);  // Nobody will hear of it again.
}

void Workers::send_complete(World& world, int replica, const DeliveredJob& job,
                            json::Value variables) {
    world.submit(
        about(job, replica),
        CompleteJob{.job = job.job.key, .proof = proof_of(job), .variables = std::move(variables)});
}

std::optional<DeliveredJob> Workers::take_job(Deed& deed) {
    if (in_hand_.empty()) return std::nullopt;
    const auto chosen =
        in_hand_.begin() + static_cast<std::ptrdiff_t>(deed.random.below(in_hand_.size()));
    std::optional<DeliveredJob> job = std::move(*chosen);
    in_hand_.erase(chosen);
    return job;
}

CallInfo Workers::about(const DeliveredJob& job, int replica) {
    return {.replica = replica,
            .workspace_id = job.job.key.workspace_id,
            .ids = {job.job.key.id.value}};
}

}  // namespace millrace::sim

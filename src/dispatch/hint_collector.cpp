#include "dispatch/hint_collector.hpp"

#include <utility>

namespace millrace {

void HintCollector::on_commit(const Writes& writes) {
    if (!has_audience_) return;
    bool is_news = false;
    {
        const MutexLock lock(mutex_);
        const bool was_worth_it = pending_.is_worth_a_hint();
        gather(writes);
        is_news = !was_worth_it && pending_.is_worth_a_hint();
    }
    if (is_news) wake_();
}

void HintCollector::tell_of_members() {
    {
        const MutexLock lock(mutex_);
        pending_.members_changed = true;
    }
    wake_();
}

HintCollector::Round HintCollector::run_once() {
    const Instant now = clock_.now();
    if (now < next_at_) return {.next_at = next_at_};
    Pending pending;
    {
        const MutexLock lock(mutex_);
        if (!pending_.is_worth_a_hint()) return {};
        pending = std::exchange(pending_, {});
    }
    const std::size_t commits = pending.commits;
    const bool members_changed = pending.members_changed;
    next_at_ = now + kInterval;
    if (!sender_.send(hint_of(std::move(pending)))) {
        // What was to be told is old by the time the store answers.
        const MutexLock lock(mutex_);
        pending_.is_incomplete = true;
        pending_.members_changed = pending_.members_changed || members_changed;
        return {.unhealthy = true};
    }
    return {.sent = 1, .coalesced = commits > 0 ? commits - 1 : 0, .next_at = next_at_};
}

void HintCollector::gather(const Writes& writes) {
    const bool was_worth_it = pending_.is_worth_a_hint();
    const std::size_t before = pending_.types.size() + pending_.keys.size();
    gather_types(writes.jobs_new);
    gather_types(writes.jobs_changed);
    for (const ApiKey& key : writes.api_keys) pending_.keys.insert(key.id);
    for (const ApiKeyRevocation& revoked : writes.api_keys_revoked)
        pending_.keys.insert(revoked.id);
    gather_instances(writes.instances_changed);
    const bool has_grown = before != pending_.types.size() + pending_.keys.size();
    if (has_grown || was_worth_it) pending_.commits += 1;
    if (pending_.types.size() <= kTypesMax && pending_.keys.size() <= kKeysMax) return;
    pending_.is_incomplete = true;
    pending_.types.clear();
    pending_.keys.clear();
}

void HintCollector::gather_types(const std::vector<Job>& jobs) {
    for (const Job& job : jobs) {
        if (job.status != JobState::unlocked) continue;
        pending_.types.insert({job.key.workspace_id, job.job_type});
    }
}

void HintCollector::gather_instances(const std::vector<Instance>& instances) {
    for (const Instance& instance : instances) {
        if (pending_.instances.size() >= kInstancesMax) return;
        pending_.instances.push_back(instance.key);
    }
}

Hint HintCollector::hint_of(Pending pending) {
    return {.waiting = {pending.types.begin(), pending.types.end()},
            .api_keys = {pending.keys.begin(), pending.keys.end()},
            .instances = std::move(pending.instances),
            .members_changed = pending.members_changed,
            .is_incomplete = pending.is_incomplete};
}

}  // namespace millrace

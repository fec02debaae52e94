#include "scheduler/partition_keeper.hpp"

#include <algorithm>

namespace millrace {

namespace {

using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year_month;

year_month month_of(Instant time) {
    const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(time)};
    return date.year() / date.month();
}

Id128 first_id_of(year_month month) {
    return first_id_at(sys_days{month / 1});
}

}  // namespace

Round PartitionKeeper::run_once() {
    const Instant now = clock_.now();
    if (now < next_at_) return {.next_at = next_at_};
    if (tasks_.empty()) {
        const Result<std::vector<Partition>> existing = upkeep_.partitions();
        if (!existing) return {.unhealthy = true};
        plan(*existing, now);
    }
    if (tasks_.empty()) return rest_until(now + kInterval);

    const Upkeep::Lease lease = right_.lease();
    if (right_.needs_lease() && !lease) return rest_until(now);
    const Result<bool> is_done = act(tasks_.back(), lease);
    if (!is_done) {
        // Somebody has a lock, or the lease: what is left to do is looked up again.
        log_.debug("A partition has to wait.", {{"partition", tasks_.back().partition.name},
                                                {"reason", is_done.error().detail}});
        tasks_.clear();
        return rest_until(now + kPauseAfterFailure);
    }
    if (*is_done) tell(tasks_.back());
    tasks_.pop_back();
    return rest_until(tasks_.empty() ? now + kInterval : now);
}

void PartitionKeeper::plan(const std::vector<Partition>& existing, Instant now) {
    for (const Partition& partition : existing) plan_drop(partition, now);
    for (const PartitionedTable table : {PartitionedTable::history, PartitionedTable::audit}) {
        plan_missing(table, existing, now);
    }
    // What is needed comes first, and of that the nearest month.
    std::ranges::reverse(tasks_);
    std::ranges::stable_partition(tasks_,
                                  [](const Task& task) { return task.action != Action::create; });
}

void PartitionKeeper::plan_missing(PartitionedTable table, const std::vector<Partition>& existing,
                                   Instant now) {
    for (int ahead = 0; ahead <= kMonthsAhead; ++ahead) {
        const year_month month = month_of(now) + months{ahead};
        const Partition wanted{table, first_id_of(month), first_id_of(month + months{1})};
        const bool is_there = std::ranges::any_of(existing, [&](const Partition& partition) {
            return partition.table == table && partition.first_id < wanted.end_id &&
                   wanted.first_id < partition.end_id;
        });
        if (!is_there) tasks_.push_back({Action::create, wanted});
    }
}

void PartitionKeeper::plan_drop(const Partition& partition, Instant now) {
    const bool is_old = partition.end_id <= first_id_of(month_of(now)) &&
                        partition.end_id <= first_id_at(now - kGrace);
    if (!is_old) return;
    const bool is_history = partition.table == PartitionedTable::history;
    const RetentionRules& rules = is_history ? rules_.instances : rules_.audit;
    if (!rules.shortest()) return;
    // An instance may have ended long after its id was made; an entry is as old as its id.
    const std::optional<Instant> expired_before = rules.all_expired_before(now);
    const bool has_expired =
        !is_history && expired_before && partition.end_id <= first_id_at(*expired_before);
    tasks_.push_back({has_expired ? Action::drop : Action::drop_unused, partition});
}

Result<bool> PartitionKeeper::act(const Task& task, const Upkeep::Lease& lease) {
    if (task.action == Action::drop_unused) return upkeep_.drop_unused(task.partition, lease);
    const Status done = task.action == Action::create ? upkeep_.create(task.partition, lease)
                                                      : upkeep_.drop(task.partition, lease);
    if (!done) return done.error();
    return true;
}

void PartitionKeeper::tell(const Task& task) {
    const std::string_view table =
        task.partition.table == PartitionedTable::history ? "history" : "audit";
    if (task.action == Action::create) {
        metrics_.partitions_created.add();
        log_.info("A partition was made.",
                  {{"table", table}, {"firstId", to_string(task.partition.first_id)}});
        return;
    }
    metrics_.partitions_dropped.add();
    log_.info("A partition was dropped.", {{"table", table}, {"partition", task.partition.name}});
}

Round PartitionKeeper::rest_until(Instant next_at) {
    next_at_ = next_at;
    return {.next_at = next_at};
}

}  // namespace millrace

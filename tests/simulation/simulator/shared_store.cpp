#include "simulator/shared_store.hpp"

#include "simulator/writes_text.hpp"

namespace millrace::sim {

namespace {

std::vector<Job> jobs_of(const std::vector<DeliveredJob>& delivered) {
    std::vector<Job> jobs;
    for (const DeliveredJob& each : delivered) jobs.push_back(each.job);
    return jobs;
}

}  // namespace

void SharedStore::tell_applied(const Writes& writes, Instant store_now, int replica) {
    trace_.add(now_, [&] { return "r" + std::to_string(replica) + " commits " + text_of(writes); });
    for (Observer* observer : observers_) observer->on_applied(writes, store_now, replica);
}

void SharedStore::tell_claimed(const std::vector<DeliveredJob>& jobs, Instant store_now,
                               int replica) {
    trace_.add(now_, [&] {
        return "r" + std::to_string(replica) + " claims " +
               text_of(Writes{.jobs_changed = jobs_of(jobs)});
    });
    for (Observer* observer : observers_) observer->on_claimed(jobs, store_now, replica);
}

}  // namespace millrace::sim

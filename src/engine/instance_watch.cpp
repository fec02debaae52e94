#include "engine/instance_watch.hpp"

namespace millrace {

std::shared_ptr<void> InstanceWatch::watch(const InstanceKey& key, Hook hook) {
    auto kept = std::make_shared<const Hook>(std::move(hook));
    const MutexLock lock(mutex_);
    const auto place = hooks_.emplace(key, std::move(kept));
    count_ += 1;
    return std::shared_ptr<void>(nullptr, [this, place](void*) {
        const MutexLock ending(mutex_);
        hooks_.erase(place);
        count_ -= 1;
    });
}

void InstanceWatch::on_commit(const Writes& writes) {
    if (count_ == 0) return;
    std::vector<std::shared_ptr<const Hook>> concerned;
    {
        const MutexLock lock(mutex_);
        collect(writes.instances_new, concerned);
        collect(writes.instances_changed, concerned);
    }
    for (const auto& hook : concerned) (*hook)();
}

void InstanceWatch::on_change(const InstanceKey& key) {
    if (count_ == 0) return;
    std::vector<std::shared_ptr<const Hook>> concerned;
    {
        const MutexLock lock(mutex_);
        collect(key, concerned);
    }
    for (const auto& hook : concerned) (*hook)();
}

void InstanceWatch::collect(const InstanceKey& key, std::vector<std::shared_ptr<const Hook>>& out) {
    const auto [first, last] = hooks_.equal_range(key);
    for (auto each = first; each != last; ++each) out.push_back(each->second);
}

void InstanceWatch::collect(const std::vector<Instance>& instances,
                            std::vector<std::shared_ptr<const Hook>>& out) {
    for (const Instance& instance : instances) collect(instance.key, out);
}

}  // namespace millrace

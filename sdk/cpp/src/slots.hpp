#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::client {

// How many jobs a worker may still take: in total, and of each type that has a limit of its own.
// Types without one are a group, which one poll asks for; each other type is a group alone, so that
// no answer brings more of it than there is room for. Not safe to use from many threads.
class Slots {
public:
    explicit Slots(std::int32_t total) : total_(std::max(total, 1)) {}

    // `slots` 0: as many as in total.
    void add(const std::string& job_type, std::int32_t slots) {
        const bool is_limited = slots > 0 && slots < total_;
        const auto shared = std::ranges::find_if(
            groups_, [&](const Group& group) { return !is_limited && group.slots == total_; });
        if (shared != groups_.end()) {
            shared->job_types.push_back(job_type);
        } else {
            groups_.push_back({.job_types = {job_type}, .slots = is_limited ? slots : total_});
        }
    }

    std::size_t groups() const { return groups_.size(); }
    const std::vector<std::string>& job_types(std::size_t group) const {
        return groups_[group].job_types;
    }
    bool has_fewer_than_groups() const { return static_cast<std::size_t>(total_) < groups_.size(); }

    std::int32_t free(std::size_t group) const {
        return std::min(total_ - used_, groups_[group].slots - groups_[group].used);
    }
    void take(std::size_t group, std::int32_t count) {
        used_ += count;
        groups_[group].used += count;
    }
    void give_back(std::size_t group, std::int32_t count) { take(group, -count); }

private:
    struct Group {
        std::vector<std::string> job_types{};
        std::int32_t slots = 0;
        std::int32_t used = 0;
    };

    const std::int32_t total_;
    std::int32_t used_ = 0;
    std::vector<Group> groups_{};
};

}  // namespace millrace::client

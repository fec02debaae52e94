#include "queue/agenda.hpp"

namespace millrace {

void Agenda::post(Work work) {
    {
        const MutexLock lock(mutex_);
        if (is_closed_) return;
        posted_.push_back(std::move(work));
        if (posted_.size() > 1) return;  // Whoever came first has called for a run.
    }
    wake_();
}

void Agenda::at(Instant time, Work work) {
    timed_.emplace(std::pair(time, ++asked_for_), std::move(work));
}

void Agenda::run(Instant now) {
    std::vector<Work> due;
    {
        const MutexLock lock(mutex_);
        due.swap(posted_);
    }
    const auto later = timed_.upper_bound({now, asked_for_});
    for (auto next = timed_.begin(); next != later; next = timed_.erase(next)) {
        due.push_back(std::move(next->second));
    }
    for (const Work& work : due) work();
}

std::optional<Instant> Agenda::next_at() const {
    if (timed_.empty()) return std::nullopt;
    return timed_.begin()->first.first;
}

void Agenda::close() {
    std::vector<Work> dropped;
    const MutexLock lock(mutex_);
    is_closed_ = true;
    dropped.swap(posted_);
}

}  // namespace millrace

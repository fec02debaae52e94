#include "api/http/body_budget.hpp"

namespace millrace::http {

BodyBudget::Share::~Share() {
    if (budget_ != nullptr && bytes_ > 0) budget_->give_back(client_, bytes_);
}

bool BodyBudget::Share::grow_to(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    if (budget_ == nullptr || !budget_->take(client_, bytes - bytes_)) return false;
    bytes_ = bytes;
    return true;
}

void BodyBudget::Share::swap(Share& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(client_, other.client_);
    std::swap(bytes_, other.bytes_);
}

std::size_t BodyBudget::bytes_taken() const {
    const MutexLock lock(mutex_);
    return taken_;
}

bool BodyBudget::take(const std::string& client, std::size_t bytes) {
    const MutexLock lock(mutex_);
    const auto found = by_client_.find(client);
    const std::size_t had = found == by_client_.end() ? 0 : found->second;
    if (had + bytes > bytes_max_ - taken_) return false;
    by_client_[client] = had + bytes;
    taken_ += bytes;
    return true;
}

void BodyBudget::give_back(const std::string& client, std::size_t bytes) {
    const MutexLock lock(mutex_);
    const auto found = by_client_.find(client);
    found->second -= bytes;
    if (found->second == 0) by_client_.erase(found);
    taken_ -= bytes;
}

}  // namespace millrace::http

#include "simulator/open_calls.hpp"

#include <algorithm>
#include <utility>

namespace millrace::sim {

std::string_view to_string(const Outcome& outcome) {
    if (outcome.kind == Outcome::Kind::ok) return "ok";
    if (outcome.kind == Outcome::Kind::none) return "none";
    switch (outcome.code) {
        case ErrorCode::invalid_argument: return "invalid_argument";
        case ErrorCode::unauthenticated: return "unauthenticated";
        case ErrorCode::permission_denied: return "permission_denied";
        case ErrorCode::not_found: return "not_found";
        case ErrorCode::conflict: return "conflict";
        case ErrorCode::lease_lost: return "lease_lost";
        case ErrorCode::too_large: return "too_large";
        case ErrorCode::unsupported_format: return "unsupported_format";
        case ErrorCode::data_refused: return "data_refused";
        case ErrorCode::key_reused: return "key_reused";
        case ErrorCode::limit_exceeded: return "limit_exceeded";
        case ErrorCode::unavailable: return "unavailable";
        case ErrorCode::commit_unknown: return "commit_unknown";
        case ErrorCode::internal: return "internal";
    }
    std::abort();
}

std::uint64_t OpenCalls::begin(Told told, const FaultCounts& faults, std::function<void()> lost) {
    told.number = ++last_number_;
    for (Observer* observer : observers_) observer->on_asked(told);
    open_.emplace(told.number, Open{std::move(told), faults, std::move(lost)});
    return last_number_;
}

bool OpenCalls::end(std::uint64_t number, Instant now, Outcome outcome, std::any answer) {
    auto found = open_.extract(number);
    if (found.empty()) return false;
    Open call = std::move(found.mapped());
    call.told.told_at = now;
    call.told.outcome = outcome;
    call.told.answer = std::move(answer);
    close(call);
    return true;
}

void OpenCalls::lose(int replica, Instant now) {
    std::vector<Open> lost;
    std::erase_if(open_, [&](auto& entry) {
        if (entry.second.told.replica != replica) return false;
        lost.push_back(std::move(entry.second));
        return true;
    });
    for (Open& call : lost) {
        call.told.told_at = now;
        close(call);
        call.lost();
    }
}

std::size_t OpenCalls::count(int replica) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        open_, [replica](const auto& entry) { return entry.second.told.replica == replica; }));
}

void OpenCalls::close(const Open& call) {
    for (Observer* observer : observers_) observer->on_told(call.told);
    if (note_) note_(call.told, call.faults);
}

}  // namespace millrace::sim

#include "simulator/weather.hpp"

namespace millrace::sim {

namespace {

bool is_until_then(const std::map<Id128, Instant>& ids, const Id128& id, Instant now) {
    const auto found = ids.find(id);
    return found != ids.end() && found->second > now;
}

}  // namespace

void Weather::clear() {
    strikes_.clear();
    storm_ = {};
    locked_.clear();
    poisoned_.clear();
}

std::optional<Fault> Weather::strike(StoreCall call, Instant now) {
    const std::optional<Fault> fault = struck(call, now);
    if (fault) count(*fault);
    return fault;
}

std::optional<Fault> Weather::struck(StoreCall call, Instant now) {
    for (auto strike = strikes_.begin(); strike != strikes_.end(); ++strike) {
        const bool is_meant = !strike->call || *strike->call == call;
        if (!is_meant || !can_strike(strike->fault, call)) continue;
        if (strike->skip-- > 0) continue;
        const Fault fault = strike->fault;
        if (--strike->count <= 0) strikes_.erase(strike);
        return fault;
    }
    if (now >= storm_.until || !storm_.random.chance(storm_.percent)) return std::nullopt;
    const Fault fault = storm_.random.pick(storm_.faults);
    return can_strike(fault, call) ? std::optional(fault) : std::nullopt;
}

bool Weather::is_locked(const Id128& id, Instant now) const {
    return is_until_then(locked_, id, now);
}

bool Weather::is_poisoned(const Id128& id, Instant now) const {
    return is_until_then(poisoned_, id, now);
}

bool can_strike(Fault fault, StoreCall call) {
    switch (fault) {
        case Fault::away:
        case Fault::overrun:
        case Fault::reply_lost:
        case Fault::killed:
        case Fault::interleaved: return true;
        case Fault::full: return call != StoreCall::read && call != StoreCall::look;
        case Fault::locked: return call == StoreCall::load;
        case Fault::commit_lost:
        case Fault::poisoned: return call == StoreCall::apply;
        case Fault::hint_lost: return call == StoreCall::hint;
        case Fault::slept:
        case Fault::clock:
        case Fault::restarted: return false;
    }
    std::abort();
}

}  // namespace millrace::sim

#include "queue/closed_run_lister.hpp"

#include <algorithm>

namespace millrace {

namespace {

constexpr int kPagesMax = 20;    // At once. Whoever is not on them is looked at in turn.
constexpr int kTurnsMissed = 3;  // So many intervals after an answer, it tells nothing any more.

}  // namespace

ClosedRunLister::ClosedRunLister(RemoteContext& context, const LeftRuns& left,
                                 std::function<void(const RunPtr&)> nominate)
    : context_(context), left_(left), nominate_(std::move(nominate)) {}

void ClosedRunLister::run(Instant now) {
    // One run may be looked at just now: what is not in use when its time comes is not.
    std::erase_if(listings_, [&](const auto& each) {
        const auto& [place, listing] = each;
        return !listing.is_under_way && listing.next_at <= now && !left_.has_place(place);
    });
    for (const RunPlace& place : left_.places()) {
        const auto [found, is_new] = listings_.try_emplace(place);
        Listing& listing = found->second;
        if (is_new) {
            listing.next_at = now + context_.settings.list_interval;
            listing.since = now - context_.settings.list_overlap;
        }
        if (listing.is_under_way || listing.next_at > now) continue;
        RemoteTarget* target = context_.find_target(place.target);
        if (target == nullptr || !target->is_reachable()) {
            listing.next_at = now + context_.settings.list_interval;
            continue;
        }
        listing.is_under_way = true;
        listing.began_at = now;
        listing.pages = 0;
        ask(place, *target, {});
    }
}

std::optional<Instant> ClosedRunLister::next_at() const {
    std::optional<Instant> next;
    for (const auto& [place, listing] : listings_) {
        if (!listing.is_under_way) next = std::min(next.value_or(Instant::max()), listing.next_at);
    }
    return next;
}

bool ClosedRunLister::covers(const RunPlace& place, Instant now) const {
    const auto found = listings_.find(place);
    if (found == listings_.end() || !found->second.worked_at) return false;
    return now - *found->second.worked_at <= kTurnsMissed * context_.settings.list_interval;
}

void ClosedRunLister::ask(const RunPlace& place, RemoteTarget& target, const std::string& page) {
    Listing& listing = listings_.at(place);
    listing.pages += 1;
    target.executor().list_closed(place.name_space, listing.since, page,
                                  context_.settings.call_timeout,
                                  context_.handing_to<CallResult<ClosedRuns>>(
                                      [this, place, &target](const CallResult<ClosedRuns>& result) {
                                          answered(place, target, result);
                                      }));
}

void ClosedRunLister::answered(const RunPlace& place, RemoteTarget& target,
                               const CallResult<ClosedRuns>& result) {
    const Instant now = context_.clock.now();
    target.note(result, now);
    Listing& listing = listings_.at(place);
    if (result.answer) {
        for (const std::string& text : result.answer->workflow_ids) {
            const std::optional<ExecutionId> id = parse_workflow_id(text);
            const RunPtr run = id ? left_.find(*id) : nullptr;
            if (run) nominate_(run);
        }
        const std::string& next_page = result.answer->next_page;
        if (!next_page.empty() && listing.pages < kPagesMax) return ask(place, target, next_page);
        listing.since = listing.began_at - context_.settings.list_overlap;
        listing.worked_at = now;
    } else {
        context_.listener.on_listing_failed(place.target, result.failure);
    }
    listing.is_under_way = false;
    listing.next_at = now + context_.settings.list_interval;
}

}  // namespace millrace

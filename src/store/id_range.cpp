#include "store/id_range.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace millrace {

namespace {

using namespace std::chrono_literals;

// An id is minted when a request arrives, what is filtered by is the time of the commit: far less
// apart than this, whatever the clocks of replicas say.
constexpr Duration kSlack = 1h;

Id128 next_after(Id128 id) {
    return {id.low == ~std::uint64_t{0} ? id.high + 1 : id.high, id.low + 1};
}

Id128 last_before(Id128 id) {
    return {id.low == 0 ? id.high - 1 : id.high, id.low - 1};
}

enum class Direction { up, down };

Status narrow(IdRange& range, const Page& page, Direction direction) {
    if (page.after.empty()) return ok();
    const std::optional<Id128> after = parse_ulid(page.after);
    if (!after)
        return Error{ErrorCode::invalid_argument, "cursor is not one that this server gave out"};
    // Nothing lies beyond the last id there is, nor before the first.
    const Id128 edge = direction == Direction::up ? IdRange{}.last : IdRange{}.first;
    if (*after == edge) {
        range = {.first = IdRange{}.last, .last = IdRange{}.first};
    } else if (direction == Direction::up) {
        range.first = std::max(range.first, next_after(*after));
    } else {
        range.last = std::min(range.last, last_before(*after));
    }
    return ok();
}

// Of what was made then or later, and earlier.
IdRange between(const std::optional<Instant>& from, const std::optional<Instant>& before) {
    IdRange range;
    if (from && *from > Instant{} + kSlack) range.first = Id128::for_instance(*from - kSlack, 0);
    if (before && *before < kEndOfTime - kSlack) {
        range.last = Id128::for_instance(std::max(*before, Instant{}) + kSlack, 0);
    }
    return range;
}

Result<IdRange> within(const std::optional<InstanceId>& instance, const Page& page,
                       Direction direction) {
    IdRange range;
    if (instance) {
        range.first = instance->value.with_sequence(0);
        range.last = instance->value.with_sequence(0xFFFF'FFFF);
    }
    if (Status status = narrow(range, page, direction); !status) return status.error();
    return range;
}

}  // namespace

Result<IdRange> range_of(const InstanceFilter& filter, const Page& page) {
    IdRange range = between(filter.started_from, filter.started_before);
    if (filter.id) {
        range.first = std::max(range.first, filter.id->value);
        range.last = std::min(range.last, filter.id->value);
    }
    const Direction direction = filter.oldest_first ? Direction::up : Direction::down;
    if (Status status = narrow(range, page, direction); !status) return status.error();
    return range;
}

Result<IdRange> range_of(const JobFilter& filter, const Page& page) {
    return within(filter.instance_id, page, Direction::up);
}

Result<IdRange> range_of(const UserTaskFilter& filter, const Page& page) {
    return within(filter.instance_id, page, Direction::down);
}

Result<IdRange> range_of(const AuditFilter& filter, const Page& page) {
    IdRange range = between(filter.since, filter.until);
    if (Status status = narrow(range, page, Direction::down); !status) return status.error();
    return range;
}

Result<IdRange> range_of(const ExecutionFilter& filter, const Page& page) {
    IdRange range = between(filter.created_from, filter.created_before);
    const Direction direction = filter.oldest_first ? Direction::up : Direction::down;
    if (Status status = narrow(range, page, direction); !status) return status.error();
    return range;
}

std::int32_t version_before(const Page& page) {
    std::int32_t version = 0;
    std::from_chars(page.after.data(), page.after.data() + page.after.size(), version);
    return version;
}

}  // namespace millrace

#pragma once

#include "store/reader.hpp"

namespace millrace {

// Ids are sorted by time and by instance: filters and places in a list become ranges of them.
struct IdRange {
    Id128 first{};  // Both belong to the range.
    Id128 last{.high = ~std::uint64_t{0}, .low = ~std::uint64_t{0}};
};

// What a page of a list by id may show. invalid_argument: `after` is no id.
Result<IdRange> range_of(const InstanceFilter& filter, const Page& page);
Result<IdRange> range_of(const JobFilter& filter, const Page& page);
Result<IdRange> range_of(const UserTaskFilter& filter, const Page& page);
Result<IdRange> range_of(const AuditFilter& filter, const Page& page);
Result<IdRange> range_of(const ExecutionFilter& filter, const Page& page);

constexpr bool is_in(const IdRange& range, Id128 id) {
    return range.first <= id && id <= range.last;
}

// The same for a list by version, newest first: 0 when it begins at the newest.
std::int32_t version_before(const Page& page);

}  // namespace millrace

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.hpp"
#include "base/result.hpp"
#include "store/cluster.hpp"

namespace millrace {

// What grows for years and is kept in partitions by the time of its ids (docs/adr/0012).
enum class PartitionedTable { history, audit };

struct Partition {
    PartitionedTable table = PartitionedTable::history;
    Id128 first_id{};  // That may be in it.
    Id128 end_id{};    // The first one behind it.
    std::string name{};

    friend bool operator==(const Partition&, const Partition&) = default;
};

// One connection for the care of partitions. Same rules as for BatchStore. What it changes takes
// locks that nobody waits for long: where they cannot be had at once, the answer is unavailable,
// and nothing has happened. data_refused: the lease is another's now. Without a lease nobody is
// asked for one.
class Upkeep {
public:
    using Lease = std::optional<DutyLease>;

    virtual ~Upkeep() = default;

    // By table and id, without the ones that take what has no other place.
    virtual Result<std::vector<Partition>> partitions() = 0;

    // Makes a partition, which the store names, and moves the rows there that have waited for it.
    virtual Status create(const Partition& partition, const Lease& lease) = 0;

    // Drops a partition of history when no instance has an id in its range, one of the audit when
    // it is empty. False: it is in use.
    virtual Result<bool> drop_unused(const Partition& partition, const Lease& lease) = 0;

    // Drops it with all that is in it.
    virtual Status drop(const Partition& partition, const Lease& lease) = 0;
};

}  // namespace millrace

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "store/definition_cache.hpp"
#include "store/postgres/connection.hpp"
#include "store/working_set.hpp"

namespace millrace::postgres {

// The definitions that a load takes in hand, within its bound.
class DefinitionLoad {
public:
    explicit DefinitionLoad(const ReadingBound& bound) : bound_(bound), room_(bound) {}

    // Of a row that is there. False when it is known already.
    bool need(std::int64_t row_id) { return definitions_.try_emplace(row_id).second; }

    // Fetches what the cache lacks, in portions, each in a round trip of its own, and puts all
    // where they belong. What finds no room is left out of the rows.
    Status complete(Connection& connection, DefinitionCache& cache, LoadedRows& rows);

private:
    Status fetch(Connection& connection, DefinitionCache& cache, LoadedRows& rows,
                 std::span<const std::int64_t> row_ids);
    bool fits(std::int64_t row_id) const { return room_.is_left() || first_.contains(row_id); }
    // Ids of rows in the order in which they are read.
    std::vector<std::int64_t> in_order() const;
    void hand_out(LoadedRows& rows);

    const ReadingBound& bound_;
    ReadingRoom room_;
    std::set<std::int64_t> first_;
    std::map<std::int64_t, DefinitionCache::Kept> definitions_;  // By row id; null until known.
    std::set<std::int64_t> left_;
    std::set<std::int64_t> unreadable_;
};

}  // namespace millrace::postgres

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "base/mutex.hpp"
#include "core/definition/definition.hpp"

namespace millrace {

// Parsed definitions by their row id. A stored definition never changes and its row id is never
// used again, so nothing here can become wrong. Shared by all connections of a process.
class DefinitionCache {
public:
    // Null when it is not here.
    DefinitionPtr find(std::int64_t row_id) const;

    // Parses what a store has read. internal: the stored text is no definition any more.
    Result<DefinitionPtr> add(std::int64_t row_id, std::string_view content);

private:
    mutable Mutex mutex_;
    std::unordered_map<std::int64_t, DefinitionPtr> definitions_ MILLRACE_GUARDED_BY(mutex_);
    std::size_t bytes_ MILLRACE_GUARDED_BY(mutex_) = 0;  // What they take in memory.
};

}  // namespace millrace

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "base/mutex.hpp"
#include "core/definition/definition.hpp"
#include "core/limits.hpp"

namespace millrace {

// Parsed definitions by their row id. A stored definition never changes and its row id is never
// used again, so nothing here can become wrong. Shared by all connections of a process.
//
// It holds no more than so many bytes, in two halves: what is asked for is in the newer one, and
// when that is full, the older one is forgotten.
class DefinitionCache {
public:
    explicit DefinitionCache(std::size_t bytes_max = limits::kDefinitionsCachedBytesMax)
        : half_bytes_max_(bytes_max / 2) {}

    struct Kept {
        DefinitionPtr definition{};
        std::size_t bytes = 0;  // That it takes in memory.
    };

    // Null when it is not here.
    Kept find(std::int64_t row_id);

    // Parses what a store has read. internal: the stored text is no definition any more.
    Result<Kept> add(std::int64_t row_id, std::string_view content);

    // What it holds, as far as that can be counted.
    std::size_t bytes() const;

private:
    struct Half {
        std::unordered_map<std::int64_t, Kept> definitions{};
        std::size_t bytes = 0;
    };

    void keep(std::int64_t row_id, const Kept& kept) MILLRACE_REQUIRES(mutex_);

    const std::size_t half_bytes_max_;
    mutable Mutex mutex_;
    Half newer_ MILLRACE_GUARDED_BY(mutex_);
    Half older_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace

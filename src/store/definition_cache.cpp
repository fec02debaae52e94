#include "store/definition_cache.hpp"

#include <utility>

#include "base/json/parse.hpp"
#include "core/definition/definition_bytes.hpp"
#include "core/definition/parse_definition.hpp"
#include "core/limits.hpp"

namespace millrace {

DefinitionCache::Kept DefinitionCache::find(std::int64_t row_id) {
    const MutexLock lock(mutex_);
    const auto newer = newer_.definitions.find(row_id);
    if (newer != newer_.definitions.end()) return newer->second;
    const auto older = older_.definitions.find(row_id);
    if (older == older_.definitions.end()) return {};
    const Kept kept = std::move(older->second);
    older_.definitions.erase(older);
    older_.bytes -= kept.bytes;
    keep(row_id, kept);
    return kept;
}

Result<DefinitionCache::Kept> DefinitionCache::add(std::int64_t row_id, std::string_view content) {
    const Result<json::Value> document = json::parse(content);
    if (!document) return Error{ErrorCode::internal, "A stored definition is not JSON."};
    const Result<DefinitionPtr> definition = parse_stored_definition(*document);
    if (!definition) return Error{ErrorCode::internal, "A stored definition cannot be read."};

    const Kept kept{*definition, memory_bytes(**definition)};
    const MutexLock lock(mutex_);
    if (!newer_.definitions.contains(row_id)) keep(row_id, kept);
    return kept;
}

std::size_t DefinitionCache::bytes() const {
    const MutexLock lock(mutex_);
    return newer_.bytes + older_.bytes;
}

// One that is larger than a half has it for itself until the next one comes.
void DefinitionCache::keep(std::int64_t row_id, const Kept& kept) {
    if (newer_.bytes > 0 && newer_.bytes + kept.bytes > half_bytes_max_) {
        older_ = std::exchange(newer_, {});
    }
    // Together with a large one the older half can be too much.
    if (older_.bytes + kept.bytes > 2 * half_bytes_max_) older_ = {};
    newer_.definitions.emplace(row_id, kept);
    newer_.bytes += kept.bytes;
}

}  // namespace millrace

#include "store/definition_cache.hpp"

#include "base/json/parse.hpp"
#include "core/definition/parse_definition.hpp"

namespace millrace {

namespace {

constexpr std::size_t kDefinitionsMax = 10'000;  // Some hundred megabytes of large ones.

}  // namespace

DefinitionPtr DefinitionCache::find(std::int64_t row_id) const {
    const MutexLock lock(mutex_);
    const auto found = definitions_.find(row_id);
    return found == definitions_.end() ? nullptr : found->second;
}

Result<DefinitionPtr> DefinitionCache::add(std::int64_t row_id, std::string_view content) {
    const Result<json::Value> document = json::parse(content);
    if (!document) return Error{ErrorCode::internal, "A stored definition is not JSON."};
    const Result<DefinitionPtr> definition = parse_stored_definition(*document);
    if (!definition) return Error{ErrorCode::internal, "A stored definition cannot be read."};

    const MutexLock lock(mutex_);
    // Forgetting all is as right as forgetting the oldest, and takes no bookkeeping.
    if (definitions_.size() >= kDefinitionsMax) definitions_.clear();
    definitions_.insert_or_assign(row_id, *definition);
    return *definition;
}

}  // namespace millrace

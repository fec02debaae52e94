#include "store/definition_cache.hpp"

#include "base/json/parse.hpp"
#include "core/definition/parse_definition.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

// A parsed definition without its expressions, measured against its text.
constexpr std::size_t kBytesPerTextByte = 4;

std::size_t bytes_of(const Definition& definition, std::string_view content) {
    return sizeof(Definition) + kBytesPerTextByte * content.size() + definition.expression_bytes;
}

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
    const std::size_t bytes = bytes_of(**definition, content);
    if (bytes_ + bytes > limits::kDefinitionCacheBytesMax) {
        definitions_.clear();
        bytes_ = 0;
    }
    if (definitions_.insert_or_assign(row_id, *definition).second) bytes_ += bytes;
    return *definition;
}

}  // namespace millrace

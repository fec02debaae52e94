#include "store/postgres/definition_load.hpp"

#include <algorithm>

#include "store/postgres/row_parameters.hpp"

namespace millrace::postgres {

namespace {

// At once: as many of the largest as a batch may hold.
constexpr auto kFetchedMax =
    static_cast<std::size_t>(limits::kBatchBytesMax) / limits::kDefinitionBytesMax;

}  // namespace

Status DefinitionLoad::complete(Connection& connection, DefinitionCache& cache, LoadedRows& rows) {
    first_ = definitions_first(bound_, rows);
    std::vector<std::int64_t> unknown;
    for (const std::int64_t row_id : in_order()) {
        if (!fits(row_id)) {
            left_.insert(row_id);
            continue;
        }
        DefinitionCache::Kept& kept = definitions_[row_id];
        kept = cache.find(row_id);
        room_.take(kept.bytes);
        if (kept.definition == nullptr) unknown.push_back(row_id);
    }
    for (std::span<const std::int64_t> rest = unknown; !rest.empty();) {
        const auto portion = rest.first(std::min(rest.size(), kFetchedMax));
        rest = rest.subspan(portion.size());
        Status fetched = fetch(connection, cache, rows, portion);
        if (!fetched) return fetched;
    }
    leave_out(rows, left_);
    hand_out(rows);
    return ok();
}

std::vector<std::int64_t> DefinitionLoad::in_order() const {
    std::vector<std::int64_t> ordered;
    ordered.reserve(definitions_.size());
    for (const bool is_first : {true, false}) {
        for (const auto& [row_id, kept] : definitions_) {
            if (first_.contains(row_id) == is_first) ordered.push_back(row_id);
        }
    }
    return ordered;
}

Status DefinitionLoad::fetch(Connection& connection, DefinitionCache& cache, LoadedRows& rows,
                             std::span<const std::int64_t> row_ids) {
    std::vector<std::int64_t> asked;
    for (const std::int64_t row_id : row_ids) {
        fits(row_id) ? asked.push_back(row_id) : void(left_.insert(row_id));
    }
    if (asked.empty()) return ok();
    Parameters parameters;
    parameters.add_column(asked, [](std::int64_t row_id) { return row_id; });
    const Result<std::vector<Rows>> answers =
        connection.run({call(sql::load_definition_contents, std::move(parameters))});
    if (!answers) return answers.error();
    const Rows& contents = answers->front();
    for (int i = 0; i < contents.size(); ++i) {
        Fields fields(contents, i);
        const std::int64_t row_id = fields.int64();
        if (!fits(row_id)) {
            left_.insert(row_id);
            continue;
        }
        const Result<DefinitionCache::Kept> kept = cache.add(row_id, fields.text());
        if (kept) {
            room_.take(kept->bytes);
            definitions_[row_id] = *kept;
        } else {
            unreadable_.insert(row_id);
            rows.unreadable.reasons.push_back(kept.error().detail + " Its row is " +
                                              std::to_string(row_id) + ".");
        }
    }
    return ok();
}

void DefinitionLoad::hand_out(LoadedRows& rows) {
    const auto put = [this](DefinitionRow& row) {
        const DefinitionCache::Kept& kept = definitions_[row.ref.row_id];
        row.definition = kept.definition;
        row.bytes = kept.bytes;
        return row.definition != nullptr;
    };
    for (auto& [key, row] : rows.definitions) {
        if (!row || put(*row)) continue;
        if (unreadable_.contains(row->ref.row_id)) rows.unreadable.definitions.push_back(key);
        row.reset();
    }
    std::erase_if(rows.instance_definitions, [&](DefinitionRow& row) { return !put(row); });
}

}  // namespace millrace::postgres

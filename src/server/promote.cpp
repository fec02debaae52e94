#include "server/promote.hpp"

#include "config/server_config.hpp"
#include "store/postgres/postgres_import.hpp"
#include "store/sqlite/sqlite_export.hpp"

namespace millrace {

namespace {

using OnProgress = std::function<void(const PromotionProgress&)>;

// One call is one promotion, or the rest of one.
class Promotion {
public:
    Promotion(SqliteExport& source, PostgresImport& target, std::int64_t rows_per_report,
              const OnProgress& on_progress)
        : source_(source),
          target_(target),
          rows_per_report_(rows_per_report),
          on_progress_(on_progress) {}

    Result<std::vector<PromotedTable>> run() {
        if (const Status status = open(); !status) return status.error();
        for (const CopiedTable& table : copied_tables()) {
            if (const Status status = copy(table); !status) return status.error();
        }
        std::vector<PromotedTable> promoted;
        for (const CopiedTable& table : copied_tables()) {
            const Result<RowSum> sum = compare(table);
            if (!sum) return sum.error();
            promoted.push_back({std::string(table.name), *sum});
        }
        if (const Status status = finish(); !status) return status.error();
        return promoted;
    }

private:
    Status open() {
        on_progress_({.what = "checking the source"});
        if (Status status = source_.open(); !status) return status;
        const Result<std::string> identity = source_.identity();
        if (!identity) return identity.error();
        identity_ = *identity;
        return target_.begin(identity_);
    }

    Status copy(const CopiedTable& table) {
        const Result<Cells> last = target_.last_key(table);
        if (!last) return last.error();
        const Result<std::int64_t> total = source_.count(table);
        if (!total) return total.error();
        PromotionProgress progress{.what = "rows of " + std::string(table.name) + " copied",
                                   .total = *total};
        if (!last->empty()) {
            const Result<std::int64_t> done = target_.count(table);
            if (!done) return done.error();
            progress.done = *done;
        }
        on_progress_(progress);
        const auto add = [&](const Cells& row) {
            progress.done += 1;
            tell(progress);
            return target_.add(table, row);
        };
        if (Status status = source_.read(table, *last, add); !status) return status;
        return target_.flush(table);
    }

    // Both sides are read again from the first row to the last: what an earlier call has copied
    // counts as much as what this one has.
    Result<RowSum> compare(const CopiedTable& table) {
        RowSum expected;
        PromotionProgress progress{.what = "rows of " + std::string(table.name) + " compared"};
        const auto add = [&](const Cells& row) {
            expected.add(row);
            return ok();
        };
        const Status read = source_.read(table, {}, add);
        if (!read) return read.error();
        progress.total = expected.rows;
        on_progress_(progress);
        const Result<RowSum> found = target_.sum(table, [&](std::int64_t done) {
            progress.done = done;
            tell(progress);
        });
        if (!found || *found == expected) return found;
        return Error{ErrorCode::data_refused,
                     "The copy differs: " + std::string(table.name) + " has " + text_of(expected) +
                         " in the source and " + text_of(*found) +
                         " in the target. Was a server running on the target? Empty it, and "
                         "promote again."};
    }

    Status finish() {
        on_progress_({.what = "checking the source again"});
        const Result<std::string> identity = source_.identity();
        if (!identity) return identity.error();
        if (*identity != identity_) {
            return Error{ErrorCode::conflict,
                         "The source has changed while it was read. Empty the target, and promote "
                         "again."};
        }
        const Result<CopiedCounters> counters = source_.counters();
        if (!counters) return counters.error();
        return target_.finish(*counters);
    }

    void tell(const PromotionProgress& progress) const {
        if (progress.done % rows_per_report_ == 0) on_progress_(progress);
    }

    static std::string text_of(const RowSum& sum) {
        return std::to_string(sum.rows) + " rows (checksum " + checksum_text(sum.checksum) + ")";
    }

    SqliteExport& source_;
    PostgresImport& target_;
    const std::int64_t rows_per_report_;
    const OnProgress& on_progress_;
    std::string identity_;
};

Status check_kinds(const ServerConfig& from, const ServerConfig& to) {
    if (!is_sqlite(from)) {
        return Error{ErrorCode::invalid_argument, "Expected sqlite:PATH behind --from."};
    }
    if (to.store.empty() || is_sqlite(to)) {
        return Error{ErrorCode::invalid_argument,
                     "Expected a PostgreSQL connection string behind --to."};
    }
    return ok();
}

}  // namespace

Result<std::vector<PromotedTable>> promote(const PromotionRequest& request,
                                           const OnProgress& on_progress) {
    const ServerConfig source_config{.store = request.from};
    const ServerConfig target_config{.store = request.to};
    if (const Status status = check_kinds(source_config, target_config); !status) {
        return status.error();
    }
    SqliteExport source(sqlite_path(source_config));
    PostgresImport target(request.to, request.bytes_per_write);
    Result<std::vector<PromotedTable>> promoted =
        Promotion(source, target, request.rows_per_report, on_progress).run();
    const bool is_in_doubt = !promoted && promoted.error().code == ErrorCode::commit_unknown;
    if (is_in_doubt) return Error{ErrorCode::unavailable, promoted.error().detail};
    return promoted;
}

}  // namespace millrace

#include "store/postgres/postgres_import.hpp"

#include "store/postgres/copy.hpp"
#include "store/postgres/copy_format.hpp"
#include "store/postgres/migrate.hpp"
#include "store/postgres/promotion_mark.hpp"

namespace millrace {

namespace {

using postgres::Call;
using postgres::call;
using postgres::Connection;
using postgres::Parameters;
using postgres::Rows;

namespace sql = postgres::sql;

// However long it takes: the limits of the role are made for requests.
constexpr std::string_view kBeginImport = "BEGIN; SET LOCAL statement_timeout = 0";

// A server says that it lives every few seconds: this long without a word means that it does not.
constexpr Duration kSilence = std::chrono::seconds{10};

std::string from(const CopiedTable& table) {
    return " FROM " + std::string(table.name);
}

Status run(Connection& connection, const std::vector<Call>& calls) {
    const Result<std::vector<Rows>> answers = connection.run(calls);
    return answers ? ok() : Status(answers.error());
}

Parameters one(auto value) {
    Parameters parameters;
    parameters.add(value);
    return parameters;
}

}  // namespace

PostgresImport::PostgresImport(std::string target, std::size_t bytes_per_write)
    : connection_(
          std::make_unique<Connection>(postgres::ConnectionOptions{.target = std::move(target)})),
      bytes_per_write_(bytes_per_write) {}

PostgresImport::~PostgresImport() = default;

Status PostgresImport::begin(const std::string& source) {
    if (Status status = postgres::migrate(*connection_, sql::kMigrations); !status) return status;
    if (Status status = connection_->open(); !status) return status;
    std::vector<Call> calls;
    calls.push_back(postgres::command("BEGIN"));
    calls.push_back(call(sql::lock_migrations));
    if (Status status = run(*connection_, calls); !status) return status;
    if (Status status = check_no_servers(); !status) return status;
    const Result<bool> is_begun = postgres::has_promotion(*connection_);
    if (!is_begun) return is_begun.error();
    if (!*is_begun) {
        // Every store has one from the beginning: that of the source comes instead.
        const Status status = run(*connection_, {call(sql::delete_default_workspace)});
        if (!status) return status;
    }
    if (Status status = *is_begun ? check_source(source) : check_empty(); !status) return status;
    if (!*is_begun) {
        if (Status status = run(*connection_, {call(sql::create_promotion)}); !status)
            return status;
        const Status noted =
            run(*connection_, {call(sql::insert_promotion, one(std::string_view(source)))});
        if (!noted) return noted;
    }
    return run(*connection_, {postgres::commit()});
}

Status PostgresImport::check_no_servers() {
    Parameters parameters;
    parameters.add(std::int64_t{kSilence.count()});
    parameters.add(Id128{});  // We are no server.
    const Result<std::vector<Rows>> answers =
        connection_->run({call(sql::list_replicas, std::move(parameters))});
    if (!answers) return answers.error();
    const Rows& rows = answers->front();
    if (rows.size() == 0) return ok();
    postgres::Fields fields(rows, 0);
    (void)fields.id();  // For programs; the name is for people.
    return Error{ErrorCode::conflict,
                 "The server " + std::string(fields.text()) +
                     " runs on the target. Stop it; one that was killed is forgotten after ten "
                     "seconds."};
}

Status PostgresImport::check_source(const std::string& source) {
    const Result<std::vector<Rows>> answers = connection_->run({call(sql::read_promotion)});
    if (!answers) return answers.error();
    const Rows& rows = answers->front();
    if (rows.size() == 1 && postgres::Fields(rows, 0).text() == source) return ok();
    return Error{ErrorCode::conflict,
                 "The target holds a part of another store, or of an earlier state of this one. "
                 "Empty it, or name another target."};
}

Status PostgresImport::check_empty() {
    for (const CopiedTable& table : copied_tables()) {
        const Result<Cells> last = last_key(table);
        if (!last) return last.error();
        if (last->empty()) continue;
        return Error{ErrorCode::conflict, "The target is not empty: there are rows in " +
                                              std::string(table.name) +
                                              ". Nothing is overwritten: name an empty target."};
    }
    return ok();
}

Result<Cells> PostgresImport::last_key(const CopiedTable& table) {
    std::string query = "SELECT " + names_of(table.key()) + from(table) + " ORDER BY ";
    for (const CopiedColumn& column : table.key()) {
        query += std::string(column.name) + (&column == &table.key().back() ? " DESC" : " DESC, ");
    }
    Cells last;
    const auto note = [&](const Cells& row) {
        last = row;
        return ok();
    };
    const Status status = postgres::copy_out(*connection_, query + " LIMIT 1", table.key(), note);
    if (!status) return status.error();
    return last;
}

Result<std::int64_t> PostgresImport::count(const CopiedTable& table) {
    constexpr CopiedColumn kCount{"count", CellType::int64};
    std::int64_t count = 0;
    const auto note = [&](const Cells& row) {
        count = std::get<std::int64_t>(row.front());
        return ok();
    };
    const Status status =
        postgres::copy_out(*connection_, "SELECT count(*)" + from(table), {&kCount, 1}, note);
    if (!status) return status.error();
    return count;
}

Status PostgresImport::add(const CopiedTable& table, const Cells& row) {
    if (waiting_.empty()) postgres::append_copy_header(waiting_);
    postgres::append_copy_row(waiting_, table.columns, row);
    return waiting_.size() < bytes_per_write_ ? ok() : flush(table);
}

Status PostgresImport::flush(const CopiedTable& table) {
    if (waiting_.empty()) return ok();
    postgres::append_copy_trailer(waiting_);
    const std::string statement = "COPY " + std::string(table.name) + " (" +
                                  names_of(table.columns) + ") FROM STDIN (FORMAT binary)";
    if (Status status = connection_->run_script(kBeginImport); !status) return status;
    if (Status status = postgres::copy_in(*connection_, statement, waiting_); !status) {
        return status;
    }
    waiting_.clear();
    return run(*connection_, {postgres::commit()});
}

Result<RowSum> PostgresImport::sum(const CopiedTable& table,
                                   const std::function<void(std::int64_t done)>& on_row) {
    RowSum sum;
    const auto add = [&](const Cells& row) {
        sum.add(row);
        on_row(sum.rows);
        return ok();
    };
    const std::string query = "SELECT " + names_of(table.columns) + from(table);
    Status status = connection_->run_script(kBeginImport);
    if (status) status = postgres::copy_out(*connection_, query, table.columns, add);
    if (status) status = run(*connection_, {postgres::commit()});
    if (!status) return status.error();
    return sum;
}

Status PostgresImport::finish(const CopiedCounters& counters) {
    const Status status = run_finish(counters);
    if (status || status.error().code != ErrorCode::commit_unknown) return status;
    if (const Status opened = connection_->open(); !opened) return opened;
    const Result<bool> is_left = postgres::has_promotion(*connection_);
    if (!is_left) return is_left.error();
    return *is_left ? Status(Error{ErrorCode::unavailable, status.error().detail}) : ok();
}

Status PostgresImport::run_finish(const CopiedCounters& counters) {
    // The first plans of a server are kept: they shall know how much there is.
    std::string analysis = "ANALYZE ";
    for (const CopiedTable& table : copied_tables()) {
        if (&table != copied_tables().data()) analysis += ", ";
        analysis += table.name;
    }
    if (Status status = connection_->run_script(analysis); !status) return status;
    std::vector<Call> calls;
    calls.push_back(postgres::command("BEGIN"));
    calls.push_back(call(sql::set_definition_row_id, one(counters.definition_row_id)));
    calls.push_back(call(sql::set_job_seq, one(counters.job_seq)));
    calls.push_back(call(sql::add_missing_lines));
    calls.push_back(call(sql::drop_promotion));
    calls.push_back(postgres::commit());
    return run(*connection_, calls);
}

}  // namespace millrace

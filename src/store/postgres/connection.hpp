#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "store/postgres/parameters.hpp"
#include "store/postgres/rows.hpp"
#include "store_postgres_sql.hpp"

struct pg_conn;

namespace millrace::postgres {

// Shared by all connections of one kind.
struct ConnectionCounts {
    std::atomic<std::int64_t> open = 0;
    std::atomic<std::int64_t> busy = 0;
    std::atomic<std::uint64_t> connects = 0;
    std::atomic<std::uint64_t> connect_failures = 0;
};

struct ConnectionOptions {
    std::string target{};  // URL or keywords, as libpq takes them.
    bool prepared_statements = true;
    // How long a server may be silent while it owes an answer. Empty: for ever.
    std::optional<Duration> answer_patience{};
    std::shared_ptr<ConnectionCounts> counts = std::make_shared<ConnectionCounts>();
    // Told why a connection cannot be made or a statement fails, unless its data is the reason. For
    // the log: no secret and nothing of a user in it. Called on the thread that uses the
    // connection.
    std::function<void(std::string_view trouble)> on_trouble{};
    // For tests that interleave transactions: told the name of each call before it is sent. Calls
    // then go one by one, each in a round trip of its own.
    std::function<void(std::string_view name)> before_call{};
};

// One step of a round trip: a statement with its values, or a command such as BEGIN.
struct Call {
    const sql::Statement* statement = nullptr;
    Parameters parameters{};
    const char* command = nullptr;
    bool is_commit = false;
};

std::string_view name_of(const Call& call);
Call call(const sql::Statement& statement, Parameters parameters = {});
Call command(const char* text);
Call commit();

// A connection to the server: closed until open(), and after every failure but data_refused.
class Connection {
public:
    explicit Connection(ConnectionOptions options);
    ~Connection();

    // Connects unless it is connected. unavailable: it cannot; trouble() says why.
    Status open();
    void close();
    bool is_open() const { return connection_ != nullptr; }
    // For copying; it stays ours.
    pg_conn* handle() { return connection_.get(); }

    // What on_trouble was told last. Empty before.
    const std::string& trouble() const { return trouble_; }

    // The process that serves us, as it was said at the beginning: a pooler names another one.
    int backend_pid() const;

    // Sends all calls in one go and gives back what the server answered to each. After the first
    // failure the server skips the rest, and its transaction waits for a ROLLBACK.
    // commit_unknown: the connection was lost, and a COMMIT among the calls may have been done.
    Result<std::vector<Rows>> run(const std::vector<Call>& calls);

    // For those who LISTEN: what to wait on, and the messages that have come since.
    int socket() const;
    Result<std::vector<std::string>> take_messages();

    // Runs the statements of a script.
    Status run_script(std::string_view script);

private:
    struct Finish {
        void operator()(pg_conn* connection) const;
    };

    Result<std::vector<Rows>> run_together(std::span<const Call> calls);
    Result<std::vector<Rows>> run_one_by_one(std::span<const Call> calls);
    bool is_alive();
    void note_trouble(std::string trouble);

    const ConnectionOptions options_;
    std::unique_ptr<pg_conn, Finish> connection_;
    std::array<bool, sql::kStatements.size()> prepared_{};
    std::string trouble_;
};

}  // namespace millrace::postgres

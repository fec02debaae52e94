#include "store/postgres/connection.hpp"

#include <libpq-fe.h>

#include "store/postgres/connect_failure.hpp"
#include "store/postgres/round_trip.hpp"
#include "store/postgres/sqlstate.hpp"

namespace millrace::postgres {

namespace {

void ignore_notice(void*, const PGresult*) {}

// A peer that has vanished without a word is given up after some fifteen seconds. What the target
// itself says comes last and goes before these.
PGconn* connect(const char* target) {
    const char* const keywords[] = {
        "fallback_application_name",
        "client_encoding",
        "connect_timeout",
        "keepalives_idle",
        "keepalives_interval",
        "keepalives_count",
        "tcp_user_timeout",
        "dbname",
        nullptr,
    };
    const char* const values[] = {"millrace", "UTF8",  "10",   "10",   "5",
                                  "1",        "15000", target, nullptr};
    return PQconnectdbParams(keywords, values, 1);
}

// As long as it lives, a connection waits for an answer.
class Busy {
public:
    explicit Busy(ConnectionCounts& counts) : counts_(counts) { counts_.busy += 1; }
    ~Busy() { counts_.busy -= 1; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    ConnectionCounts& counts_;
};

// Empty when the target can be read.
std::string what_is_malformed(const char* target) {
    char* message = nullptr;
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(
        PQconninfoParse(target, &message), &PQconninfoFree);
    const std::unique_ptr<char, decltype(&PQfreemem)> owner(message, &PQfreemem);
    return message == nullptr ? "" : malformed_target(message);
}

// Why there is no connection; a target that is malformed was never tried.
std::string why_not(const PGconn* connection, std::string malformed) {
    if (!malformed.empty()) return malformed;
    const char* password = PQpass(connection);
    return connect_failure(PQerrorMessage(connection), password == nullptr ? "" : password);
}

}  // namespace

void Connection::Finish::operator()(pg_conn* connection) const {
    PQfinish(connection);
}

std::string_view name_of(const Call& call) {
    return call.statement == nullptr ? call.command : call.statement->name;
}

Call call(const sql::Statement& statement, Parameters parameters) {
    return {.statement = &statement, .parameters = std::move(parameters)};
}

Call command(const char* text) {
    return {.command = text};
}

Call commit() {
    return {.command = "COMMIT", .is_commit = true};
}

Connection::Connection(ConnectionOptions options) : options_(std::move(options)) {}

Connection::~Connection() {
    close();
}

Status Connection::open() {
    if (is_open()) return ok();
    std::string malformed = what_is_malformed(options_.target.c_str());
    std::unique_ptr<pg_conn, Finish> connection;
    if (malformed.empty()) connection.reset(connect(options_.target.c_str()));
    if (PQstatus(connection.get()) != CONNECTION_OK) {
        options_.counts->connect_failures += 1;
        note_trouble(why_not(connection.get(), std::move(malformed)));
        return Error{ErrorCode::unavailable, "The database cannot be reached."};
    }
    options_.counts->connects += 1;
    options_.counts->open += 1;
    connection_ = std::move(connection);
    prepared_.fill(false);
    PQsetNoticeReceiver(connection_.get(), &ignore_notice, nullptr);
    return ok();
}

int Connection::backend_pid() const {
    return is_open() ? PQbackendPID(connection_.get()) : 0;
}

void Connection::close() {
    if (!is_open()) return;
    connection_.reset();
    options_.counts->open -= 1;
}

Result<std::vector<Rows>> Connection::run(const std::vector<Call>& calls) {
    return options_.before_call ? run_one_by_one(calls) : run_together(calls);
}

Result<std::vector<Rows>> Connection::run_one_by_one(std::span<const Call> calls) {
    std::vector<Rows> answers;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        options_.before_call(name_of(calls[i]));
        Result<std::vector<Rows>> answer = run_together(calls.subspan(i, 1));
        if (!answer) return answer;
        answers.push_back(std::move(answer->front()));
    }
    return answers;
}

Result<std::vector<Rows>> Connection::run_together(std::span<const Call> calls) {
    if (!is_open() || !is_alive()) {
        close();
        return Error{ErrorCode::unavailable, "The connection to the database was lost."};
    }
    const Busy busy(*options_.counts);
    RoundTrip round_trip(*connection_, options_.prepared_statements ? &prepared_ : nullptr,
                         options_.answer_patience);
    round_trip.send(calls);
    round_trip.receive(calls);
    const std::optional<Error> error = round_trip.error();
    const bool is_usable = round_trip.is_over() && PQexitPipelineMode(connection_.get()) != 0;
    if (!round_trip.trouble().empty()) note_trouble(round_trip.trouble());
    if (!is_usable || (error && error->code != ErrorCode::data_refused)) close();
    if (error) return *error;
    return round_trip.take_answers();
}

int Connection::socket() const {
    return PQsocket(connection_.get());
}

Result<std::vector<std::string>> Connection::take_messages() {
    if (PQconsumeInput(connection_.get()) == 0 || PQstatus(connection_.get()) != CONNECTION_OK) {
        close();
        return Error{ErrorCode::unavailable, "The connection to the database was lost."};
    }
    std::vector<std::string> messages;
    while (const auto message = std::unique_ptr<PGnotify, decltype(&PQfreemem)>(
               PQnotifies(connection_.get()), &PQfreemem)) {
        messages.emplace_back(message->extra);
    }
    return messages;
}

Status Connection::run_script(std::string_view script) {
    if (!is_open())
        return Error{ErrorCode::unavailable, "The connection to the database was lost."};
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(
        PQexec(connection_.get(), std::string(script).c_str()), &PQclear);
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return ok();
    const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    const std::string sqlstate = state == nullptr ? "" : state;
    note_trouble(connect_failure(PQresultErrorMessage(result.get()), ""));
    close();
    if (is_connection_failure(sqlstate)) {
        return Error{ErrorCode::unavailable, "The connection to the database was lost."};
    }
    return Error{code_of_sqlstate(sqlstate), "A script failed with SQLSTATE " + sqlstate + "."};
}

// What arrives unasked can only be the server's farewell. Seen before anything is sent, it leaves
// no doubt about a COMMIT.
bool Connection::is_alive() {
    return PQconsumeInput(connection_.get()) != 0 && PQstatus(connection_.get()) == CONNECTION_OK &&
           PQenterPipelineMode(connection_.get()) != 0;
}

void Connection::note_trouble(std::string trouble) {
    trouble_ = std::move(trouble);
    if (options_.on_trouble) options_.on_trouble(trouble_);
}

}  // namespace millrace::postgres

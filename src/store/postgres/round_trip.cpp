#include "store/postgres/round_trip.hpp"

#include <libpq-fe.h>
#include <poll.h>

#include <string>

#include "store/postgres/sqlstate.hpp"

namespace millrace::postgres {

namespace {

constexpr int kBinary = 1;

bool is_good(ExecStatusType status) {
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

std::string_view field_of(const PGresult* result, int field) {
    const char* text = PQresultErrorField(result, field);
    return text == nullptr ? std::string_view{} : std::string_view(text);
}

// What the server says; where it says nothing more, what libpq does.
std::string_view message_of(const PGresult* result) {
    const std::string_view primary = field_of(result, PG_DIAG_MESSAGE_PRIMARY);
    if (!primary.empty()) return primary;
    const std::string_view text = PQresultErrorMessage(result);
    return text.substr(0, text.find('\n'));
}

constexpr const char* kPoolerHint =
    ". Another connection has prepared statements where this one does: there is a pooler that "
    "pools "
    "transactions. Set postgres.preparedStatements to false.";

}  // namespace

void RoundTrip::send(std::span<const Call> calls) {
    preparing_.reserve(calls.size());
    for (const Call& call : calls) {
        // libpq sends when its buffer is full: from here on the server may have got it.
        commit_in_doubt_ = commit_in_doubt_ || call.is_commit;
        if (!send_one(call)) {
            is_lost_ = true;
            return;
        }
    }
    is_lost_ = PQpipelineSync(&connection_) == 0;
}

bool RoundTrip::send_one(const Call& call) {
    if (call.statement == nullptr) {
        preparing_.push_back(nullptr);
        return PQsendQueryParams(&connection_, call.command, 0, nullptr, nullptr, nullptr, nullptr,
                                 kBinary) != 0;
    }
    const sql::Statement& statement = *call.statement;
    if (!prepare(statement)) return false;

    const std::vector<const char*> values = call.parameters.pointers();
    const std::vector<int> lengths = call.parameters.lengths();
    const std::vector<int> formats(values.size(), kBinary);
    const int count = static_cast<int>(values.size());
    if (prepared_ == nullptr) {
        return PQsendQueryParams(&connection_, statement.text.data(), count, nullptr, values.data(),
                                 lengths.data(), formats.data(), kBinary) != 0;
    }
    return PQsendQueryPrepared(&connection_, statement.name.data(), count, values.data(),
                               lengths.data(), formats.data(), kBinary) != 0;
}

bool RoundTrip::prepare(const sql::Statement& statement) {
    const bool is_needed = prepared_ != nullptr && !(*prepared_)[statement.index];
    preparing_.push_back(is_needed ? &statement : nullptr);
    if (!is_needed) return true;
    (*prepared_)[statement.index] = true;  // Taken back when it fails.
    return PQsendPrepare(&connection_, statement.name.data(), statement.text.data(), 0, nullptr) !=
           0;
}

void RoundTrip::receive(std::span<const Call> calls) {
    answers_.reserve(calls.size());
    for (std::size_t i = 0; i < calls.size() && !is_lost_; ++i) {
        if (preparing_[i] != nullptr) receive_preparation(calls[i]);
        if (!is_lost_) receive_answer(calls[i]);
    }
    if (is_lost_) return;
    const Rows end(PQgetResult(&connection_));
    is_over_ = PQstatus(&connection_) == CONNECTION_OK;
}

std::optional<Error> RoundTrip::error() const {
    if (is_committed_) return std::nullopt;
    if (refusal_) return refusal_;
    if (!is_lost_) return std::nullopt;
    if (commit_in_doubt_) {
        return Error{ErrorCode::commit_unknown,
                     "The connection to the database was lost during a commit."};
    }
    return Error{ErrorCode::unavailable, "The connection to the database was lost."};
}

void RoundTrip::receive_preparation(const Call& call) {
    PGresult* result = next_result();
    const Rows owner(result);
    if (is_lost_ || is_good(PQresultStatus(result))) return;
    (*prepared_)[call.statement->index] = false;
    if (PQresultStatus(result) != PGRES_PIPELINE_ABORTED) note_failure(call, result);
}

void RoundTrip::receive_answer(const Call& call) {
    PGresult* result = next_result();
    Rows rows(result);
    if (is_lost_) return;
    const ExecStatusType status = PQresultStatus(result);
    if (is_good(status)) {
        // A COMMIT of a transaction that had failed is done, and says that it rolled back.
        if (call.is_commit) is_committed_ = std::string_view(PQcmdStatus(result)) == "COMMIT";
        if (call.is_commit && !is_committed_) refuse(call, "25P02");
        answers_.push_back(std::move(rows));
    } else if (status != PGRES_PIPELINE_ABORTED) {
        note_failure(call, result);
    }
}

pg_result* RoundTrip::next_result() {
    PGresult* result = await_answer() ? PQgetResult(&connection_) : nullptr;
    if (result == nullptr) {
        is_lost_ = true;
    } else {
        const Rows end(PQgetResult(&connection_));
    }
    return result;
}

// libpq itself would wait for ever. Keepalives tell of a peer that is gone, not of one that lives
// and says nothing, such as a proxy that has lost its other end.
bool RoundTrip::await_answer() {
    while (answer_patience_ && PQisBusy(&connection_) != 0) {
        pollfd socket{.fd = PQsocket(&connection_), .events = POLLIN, .revents = 0};
        const auto patience = std::chrono::ceil<std::chrono::milliseconds>(*answer_patience_);
        if (::poll(&socket, 1, static_cast<int>(patience.count())) == 0) return false;
        if (PQconsumeInput(&connection_) == 0) break;  // What is wrong comes as a result.
    }
    return true;
}

void RoundTrip::note_failure(const Call& call, const pg_result* result) {
    const std::string_view sqlstate = field_of(result, PG_DIAG_SQLSTATE);
    note_trouble(call, sqlstate, message_of(result));
    // A server that goes away while it commits has committed or not, whatever it says.
    const bool is_going = field_of(result, PG_DIAG_SEVERITY_NONLOCALIZED) != "ERROR";
    if (is_connection_failure(sqlstate) || (call.is_commit && is_going)) {
        is_lost_ = true;
    } else {
        refuse(call, sqlstate);
    }
}

void RoundTrip::note_trouble(const Call& call, std::string_view sqlstate,
                             std::string_view message) {
    if (!trouble_.empty() || code_of_sqlstate(sqlstate) == ErrorCode::data_refused) return;
    trouble_ = std::string(name_of(call)) + ": " + std::string(message);
    if (!sqlstate.empty()) trouble_ += " (SQLSTATE " + std::string(sqlstate) + ")";
    if (is_lost_preparation(sqlstate)) trouble_ += kPoolerHint;
}

void RoundTrip::refuse(const Call& call, std::string_view sqlstate) {
    if (refusal_) return;
    refusal_ =
        Error{code_of_sqlstate(sqlstate),
              std::string(name_of(call)) + " failed with SQLSTATE " + std::string(sqlstate) + ".",
              {},
              why_unavailable(sqlstate)};
}

}  // namespace millrace::postgres

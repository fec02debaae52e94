#include "store/postgres/copy.hpp"

#include <libpq-fe.h>

#include <memory>

#include "store/postgres/copy_format.hpp"
#include "store/postgres/sqlstate.hpp"

namespace millrace::postgres {

namespace {

using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

struct FreePiece {
    void operator()(char* piece) const { PQfreemem(piece); }
};
using Piece = std::unique_ptr<char, FreePiece>;

Error lost() {
    return {ErrorCode::unavailable, "The connection to the database was lost."};
}

Error to_error(const PGresult* result) {
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string sqlstate = state == nullptr ? "" : state;
    if (is_connection_failure(sqlstate)) return lost();
    return {code_of_sqlstate(sqlstate), "A copy failed with SQLSTATE " + sqlstate + "."};
}

// Sends the statement and waits until the server is ready to copy.
Status begin(PGconn* handle, const std::string& statement, ExecStatusType expected) {
    const Answer answer(PQexec(handle, statement.c_str()), &PQclear);
    return PQresultStatus(answer.get()) == expected ? ok() : Status(to_error(answer.get()));
}

// What the server says at the end, and that it has nothing more to say.
Status end(PGconn* handle) {
    const Answer answer(PQgetResult(handle), &PQclear);
    if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK) return to_error(answer.get());
    const Answer nothing(PQgetResult(handle), &PQclear);
    return nothing == nullptr ? ok() : Status(to_error(nothing.get()));
}

Status send(PGconn* handle, const std::string& statement, std::string_view bytes) {
    if (Status status = begin(handle, statement, PGRES_COPY_IN); !status) return status;
    const int size = static_cast<int>(bytes.size());
    if (PQputCopyData(handle, bytes.data(), size) != 1) return lost();
    if (PQputCopyEnd(handle, nullptr) != 1) return lost();
    return end(handle);
}

Status take_rows(CopyReader& reader, Cells& row,
                 const std::function<Status(const Cells& row)>& each) {
    while (true) {
        const Result<bool> found = reader.next(row);
        if (!found) return found.error();
        if (!*found) return ok();
        if (Status status = each(row); !status) return status;
    }
}

Status receive(PGconn* handle, const std::string& statement, CopyReader reader,
               const std::function<Status(const Cells& row)>& each) {
    if (Status status = begin(handle, statement, PGRES_COPY_OUT); !status) return status;
    Cells row;
    while (true) {
        char* bytes = nullptr;
        const int size = PQgetCopyData(handle, &bytes, 0);
        const Piece piece(bytes);
        if (size == -1) return end(handle);
        if (size < 0) return lost();
        reader.add({bytes, static_cast<std::size_t>(size)});
        if (Status status = take_rows(reader, row, each); !status) return status;
    }
}

Status closed_unless_good(Connection& connection, Status status) {
    if (!status) connection.close();
    return status;
}

}  // namespace

Status copy_in(Connection& connection, const std::string& statement, std::string_view bytes) {
    if (!connection.is_open()) return lost();
    return closed_unless_good(connection, send(connection.handle(), statement, bytes));
}

Status copy_out(Connection& connection, const std::string& query,
                std::span<const CopiedColumn> columns,
                const std::function<Status(const Cells& row)>& each) {
    if (!connection.is_open()) return lost();
    const std::string statement = "COPY (" + query + ") TO STDOUT (FORMAT binary)";
    return closed_unless_good(connection,
                              receive(connection.handle(), statement, CopyReader(columns), each));
}

}  // namespace millrace::postgres

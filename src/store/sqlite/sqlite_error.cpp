#include "store/sqlite/sqlite_error.hpp"

#include <sqlite3.h>

namespace millrace::sqlite {

namespace {

ErrorCode reaction_to(int code) {
    switch (code & 0xFF) {  // The rest says more about the same.
        case SQLITE_CONSTRAINT:
        case SQLITE_TOOBIG:
        case SQLITE_MISMATCH: return ErrorCode::data_refused;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_IOERR:
        case SQLITE_FULL:
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY:
        case SQLITE_PROTOCOL: return ErrorCode::unavailable;
        default: return ErrorCode::internal;
    }
}

}  // namespace

Error to_error(int code) {
    if ((code & 0xFF) == SQLITE_FULL) {
        return {reaction_to(code),
                "The disk of the store is full. Work goes on when there is room again."};
    }
    return {reaction_to(code), "The store says: " + std::string(sqlite3_errstr(code)) + "."};
}

}  // namespace millrace::sqlite

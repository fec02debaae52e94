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

// In our words: callers of the interface read it, too.
std::string_view sentence_of(int code) {
    switch (code & 0xFF) {
        case SQLITE_CORRUPT: return "The file of the store is damaged";
        case SQLITE_NOTADB: return "The file of the store is no database";
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL: return "Another program keeps the file of the store locked";
        case SQLITE_IOERR: return "The file of the store cannot be read or written";
        case SQLITE_CANTOPEN: return "The file of the store cannot be opened";
        case SQLITE_READONLY: return "The file of the store may not be written";
        case SQLITE_CONSTRAINT:
        case SQLITE_TOOBIG:
        case SQLITE_MISMATCH: return "The store cannot keep this value";
        default: return "The store cannot do what it was told";
    }
}

}  // namespace

Error to_error(int code) {
    if ((code & 0xFF) == SQLITE_FULL) {
        return {reaction_to(code),
                "The disk of the store is full: nothing can be written until there is room.",
                {},
                Unavailable::full};
    }
    // The number tells an operator more: https://www.sqlite.org/rescode.html.
    return {reaction_to(code),
            std::string(sentence_of(code)) + " (SQLite error " + std::to_string(code) + ")."};
}

}  // namespace millrace::sqlite

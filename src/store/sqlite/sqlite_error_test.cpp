#include "store/sqlite/sqlite_error.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace millrace::sqlite {
namespace {

TEST(SqliteError, IsASentenceOfOurs) {
    struct Case {
        int code;
        ErrorCode reaction;
        const char* detail;
    };
    for (const auto& [code, reaction, detail] : {
             Case{SQLITE_CORRUPT, ErrorCode::internal,
                  "The file of the store is damaged (SQLite error 11)."},
             Case{SQLITE_NOTADB, ErrorCode::internal,
                  "The file of the store is no database (SQLite error 26)."},
             Case{SQLITE_ERROR, ErrorCode::internal,
                  "The store cannot do what it was told (SQLite error 1)."},
             Case{SQLITE_IOERR_FSYNC, ErrorCode::unavailable,
                  "The file of the store cannot be read or written (SQLite error 1034)."},
             Case{SQLITE_BUSY_RECOVERY, ErrorCode::unavailable,
                  "Another program keeps the file of the store locked (SQLite error 261)."},
             Case{SQLITE_CANTOPEN, ErrorCode::unavailable,
                  "The file of the store cannot be opened (SQLite error 14)."},
             Case{SQLITE_READONLY, ErrorCode::unavailable,
                  "The file of the store may not be written (SQLite error 8)."},
             Case{SQLITE_CONSTRAINT_UNIQUE, ErrorCode::data_refused,
                  "The store cannot keep this value (SQLite error 2067)."},
             Case{SQLITE_FULL, ErrorCode::unavailable,
                  "The disk of the store is full: nothing can be written until there is room."},
         }) {
        const Error error = to_error(code);
        EXPECT_EQ(error.code, reaction) << detail;
        EXPECT_EQ(error.detail, detail);
    }
}

}  // namespace
}  // namespace millrace::sqlite

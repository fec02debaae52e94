#pragma once

#include <memory>
#include <string>

#include "store/database.hpp"

namespace millrace {

// An empty database with its schema.
class World {
public:
    virtual ~World() = default;
    virtual Database& database() = 0;
    // Changes stored rows beside the store, as somebody's SQL would: only of kSqlCandidates.
    void spoil(const std::string& table, const std::string& change, const std::string& rows) {
        run_sql("UPDATE " + table + " SET " + change + " WHERE " + rows);
    }

protected:
    virtual void run_sql(const std::string&) {}
};

// A World whose commits can be made to fail, at the connection of whoever commits.
class DoubtfulWorld : public World {
public:
    // From now on every connection dies at its COMMIT: before it takes place, or after.
    virtual void cut_before_commit() = 0;
    virtual void cut_after_commit() = 0;
    virtual void heal() = 0;
};

std::unique_ptr<World> make_memory_world();
std::unique_ptr<DoubtfulWorld> make_sqlite_world();
std::unique_ptr<World> make_postgres_world();
std::unique_ptr<DoubtfulWorld> make_doubtful_postgres_world();

struct Candidate {
    const char* name;
    std::unique_ptr<World> (*make)();
};

struct DoubtfulCandidate {
    const char* name;
    std::unique_ptr<DoubtfulWorld> (*make)();
};

// A store joins the suite with a source file that makes its World and a line in each list here. A
// commit into memory is never in doubt.
inline constexpr Candidate kCandidates[] = {
    {"Memory", make_memory_world},
    {"Sqlite",
     []() -> std::unique_ptr<World> {
         return make_sqlite_world();
     }},
    {"Postgres", make_postgres_world},
};
inline constexpr Candidate kSqlCandidates[] = {kCandidates[1], kCandidates[2]};
inline constexpr DoubtfulCandidate kDoubtfulCandidates[] = {
    {"Sqlite", make_sqlite_world},
    {"Postgres", make_doubtful_postgres_world},
};

}  // namespace millrace

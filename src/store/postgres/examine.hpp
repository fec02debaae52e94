#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "store/migrations.hpp"
#include "store/postgres/postgres_database.hpp"

// What `millrace doctor` looks at in a PostgreSQL. Facts only: what is good or bad about them is
// judged elsewhere.
namespace millrace::postgres {

struct ServerFacts {
    std::string version{};
    std::int32_t version_number = 0;  // 150004 for 15.4
    bool is_standby = false;
    bool is_pooled = false;  // Somebody stands between us and the process that serves us.
    bool is_encrypted = false;
    std::string database{};
    std::string schema{};  // Empty: the search path leads nowhere.
    std::string role{};
    std::int64_t connections = 0;
    // Of the database's clock against ours, as far as the answer tells.
    Duration skew{};
    Duration round_trip{};
};

struct IndexFacts {
    std::string name{};
    bool is_there = false;
    bool is_valid = false;
};

struct TableFacts {
    std::string name{};
    std::int64_t live_rows = 0;
    std::int64_t dead_rows = 0;
    std::int64_t bytes = 0;
    std::optional<Instant> last_autovacuum{};
    bool is_autovacuum_off = false;
};

// Whoever may still look at rows that are dead to everybody else.
struct VacuumHolder {
    std::string kind{};  // session, prepared transaction, replication slot
    std::string name{};
    std::int32_t pid = 0;
    std::string state{};
    std::optional<Instant> since{};
    std::int64_t age = 0;  // In transactions.
};

struct OverdueWork {
    std::int64_t timers = 0;
    std::optional<Instant> timer_at{};  // The first of all.
    std::int64_t leases = 0;
    std::optional<Instant> lease_at{};
};

struct MissingPrivilege {
    std::string object{};
    std::string privilege{};
};

struct PartitionFacts {
    std::string table{};
    bool has_next_month = false;
    std::int64_t default_bytes = 0;
};

struct ReplicaFacts {
    std::string name{};
    std::string version{};
    std::int64_t silent_seconds = 0;
};

struct Facts {
    // Why nothing else is known; empty when the database answers.
    std::string unreachable{};
    ServerFacts server{};
    std::map<std::string, std::string> settings{};
    std::vector<MigrationStatus> migrations{};
    std::vector<IndexFacts> indexes{};  // Those that migrations make.
    std::vector<TableFacts> tables{};
    std::vector<VacuumHolder> vacuum_holders{};
    std::optional<OverdueWork> overdue{};
    std::optional<std::vector<MissingPrivilege>> missing_privileges{};  // Absent: not known.
    std::vector<PartitionFacts> partitions{};
    std::optional<std::vector<ReplicaFacts>> replicas{};  // Absent: the schema knows none.
    Instant now{};                                        // By the database's clock.
    // What could not be looked at, and why.
    std::vector<std::string> refusals{};
};

// Looks without changing anything.
Facts examine(const PostgresOptions& options, const Clock& clock);

}  // namespace millrace::postgres

#include <algorithm>
#include <chrono>

#include "server/doctor.hpp"
#include "server/doctor_schema.hpp"

namespace millrace {

namespace {

using namespace std::chrono_literals;
using enum Severity;

constexpr std::int32_t kVersionMin = 140000;
// Beside the committers: readers, the claimer, duties, figures, and what replicas tell each other.
constexpr int kOtherConnections = 12;
constexpr std::int64_t kDeadRowsMany = 10'000;
constexpr Duration kHoldsLong = 5min;
constexpr Duration kHoldsVeryLong = 1h;
constexpr std::int64_t kSlotAgeMany = 1'000'000;
constexpr Duration kSkewMuch = 2s;
constexpr Duration kOverdueLong = 30s;
constexpr std::int64_t kSilentSecondsMax = 15;

using Findings = std::vector<Finding>;

std::string seconds_text(Duration duration) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count()) +
           " s";
}

std::string milliseconds_text(Duration duration) {
    return std::to_string(std::chrono::ceil<std::chrono::milliseconds>(duration).count()) + " ms";
}

std::string setting(const postgres::Facts& facts, const std::string& name) {
    const auto found = facts.settings.find(name);
    return found == facts.settings.end() ? "" : found->second;
}

std::int64_t number(const postgres::Facts& facts, const std::string& name) {
    const std::string text = setting(facts, name);
    return text.empty() ? 0 : std::stoll(text);
}

void judge_server(const postgres::ServerFacts& server, Findings& out) {
    out.push_back({good, "connection",
                   "PostgreSQL " + server.version + " answers in " +
                       milliseconds_text(server.round_trip) + ", to role " + server.role +
                       " in database " + server.database +
                       (server.is_encrypted ? ", encrypted." : ", not encrypted."),
                   ""});
    if (server.version_number < kVersionMin) {
        out.push_back({problem, "version", "PostgreSQL " + server.version + " is too old.",
                       "Use PostgreSQL 14 or newer."});
    }
    if (server.is_standby) {
        out.push_back({problem, "role", "The server is a standby and takes no writes.",
                       "Name the primary, or several hosts with target_session_attrs=read-write."});
    }
    if (server.schema.empty()) {
        out.push_back({problem, "schema", "The search path names no schema that exists.",
                       "Create the schema, or set search_path for the role."});
    }
}

Finding judge_pooler(const postgres::ServerFacts& server, const PostgresSettings& settings) {
    if (server.is_pooled && settings.prepared_statements) {
        return {warning, "pooler", "Connections go through a pooler, and statements are prepared.",
                "Unless it pools whole sessions, set postgres.preparedStatements to false."};
    }
    if (server.is_pooled) {
        const bool can_listen = !settings.listen_url.empty();
        return {
            can_listen ? good : info, "pooler",
            std::string("Connections go through a pooler; no statement is prepared") +
                (can_listen ? "." : ", and servers cannot hear of each other at once."),
            can_listen ? "" : "For lower latency set postgres.listenUrl to a direct connection."};
    }
    if (!settings.prepared_statements) {
        return {info, "pooler", "There is no pooler, but statements are not prepared.",
                "Set postgres.preparedStatements to true: it is faster."};
    }
    return {good, "pooler", "Connections are direct.", ""};
}

void judge_indexes(const postgres::Facts& facts, Findings& out) {
    std::size_t sound = 0;
    for (const postgres::IndexFacts& index : facts.indexes) {
        if (!index.is_there) {
            out.push_back({problem, "indexes", "Index " + index.name + " is missing.",
                           "Create it again: the migrations in the source have its statement."});
        } else if (!index.is_valid) {
            out.push_back({problem, "indexes", "Index " + index.name + " is not valid.",
                           "REINDEX INDEX CONCURRENTLY " + index.name + ";"});
        } else {
            ++sound;
        }
    }
    if (sound == facts.indexes.size() && sound > 0) {
        out.push_back({good, "indexes", "All " + std::to_string(sound) + " are there.", ""});
    }
}

// A setting that must be on, and what its being off costs.
struct NeededSetting {
    const char* name;
    const char* cost;
};

constexpr NeededSetting kNeeded[] = {
    {"fsync", "a crash of the machine may destroy the database"},
    {"full_page_writes", "a crash of the machine may tear pages"},
    {"synchronous_commit", "a crash may lose what was acknowledged"},
    {"autovacuum", "tables grow without end"},
    {"track_counts", "autovacuum does not know where to work"},
};

void judge_settings(const postgres::Facts& facts, Findings& out) {
    bool all_on = true;
    for (const NeededSetting& needed : kNeeded) {
        if (setting(facts, needed.name) != "off") continue;
        all_on = false;
        out.push_back({problem, "settings",
                       std::string(needed.name) + " is off: " + needed.cost + ".",
                       std::string("Set ") + needed.name + " = on."});
    }
    if (all_on) {
        out.push_back({good, "settings",
                       "fsync, full_page_writes, synchronous_commit and autovacuum are on.", ""});
    }
    const std::string standbys = setting(facts, "synchronous_standby_names");
    if (!standbys.empty() && setting(facts, "synchronous_commit") == "local") {
        out.push_back({warning, "replication",
                       "synchronous_commit is local: no commit waits for " + standbys + ".",
                       "Set synchronous_commit = on, or expect a failover to lose commits."});
    } else if (standbys.empty()) {
        out.push_back({info, "replication",
                       "No standby is synchronous: a failover may lose the last commits.", ""});
    }
    if (setting(facts, "archive_mode") == "off") {
        out.push_back({info, "archiving",
                       "archive_mode is off (wal_level " + setting(facts, "wal_level") +
                           "): there is no recovery to a point in time.",
                       ""});
    }
}

Finding judge_connections(const postgres::Facts& facts, const PostgresSettings& settings) {
    const int needed = settings.committers + kOtherConnections;
    const std::int64_t max =
        number(facts, "max_connections") - number(facts, "superuser_reserved_connections");
    const std::string counts = std::to_string(facts.server.connections) + " of " +
                               std::to_string(max) + " connections are used; a server takes " +
                               std::to_string(needed) + ".";
    if (max - facts.server.connections >= needed) return {good, "connections", counts, ""};
    return {warning, "connections", counts,
            "Raise max_connections, or put a pooler in front, before another server starts."};
}

void judge_tables(const postgres::Facts& facts, Findings& out) {
    bool all_clean = true;
    for (const postgres::TableFacts& table : facts.tables) {
        const std::string rows = std::to_string(table.dead_rows) + " dead and " +
                                 std::to_string(table.live_rows) + " live rows, " +
                                 std::to_string(table.bytes >> 20) + " MiB";
        if (table.is_autovacuum_off) {
            all_clean = false;
            out.push_back({warning, "tables", "Autovacuum is off for table " + table.name + ".",
                           "ALTER TABLE " + table.name + " RESET (autovacuum_enabled);"});
        }
        if (table.dead_rows < kDeadRowsMany || table.dead_rows < 2 * table.live_rows) continue;
        all_clean = false;
        out.push_back({warning, "tables",
                       "Table " + table.name + " has " + rows +
                           (table.last_autovacuum ? "." : ", and was never vacuumed by itself."),
                       "See who holds back vacuum; then VACUUM " + table.name + ";"});
    }
    if (all_clean && !facts.tables.empty()) {
        out.push_back({good, "tables", "Few dead rows in the tables that change.", ""});
    }
}

Severity severity_of(const postgres::VacuumHolder& holder, Instant now) {
    if (holder.since) {
        const Duration held = now - *holder.since;
        return held >= kHoldsVeryLong ? problem : held >= kHoldsLong ? warning : good;
    }
    if (holder.state == "active" && holder.age < kSlotAgeMany) return good;
    return holder.age >= kSlotAgeMany ? problem : warning;
}

std::string remedy_of(const postgres::VacuumHolder& holder) {
    if (holder.kind == "session") {
        return "End it: SELECT pg_terminate_backend(" + std::to_string(holder.pid) + ");";
    }
    if (holder.kind == "prepared transaction") {
        return "Finish it: ROLLBACK PREPARED '" + holder.name + "';";
    }
    return "Drop it if nobody needs it: SELECT pg_drop_replication_slot('" + holder.name + "');";
}

void judge_vacuum(const postgres::Facts& facts, Findings& out) {
    bool is_held = false;
    for (const postgres::VacuumHolder& holder : facts.vacuum_holders) {
        const Severity severity = severity_of(holder, facts.now);
        if (severity == good) continue;
        is_held = true;
        std::string who = "A " + holder.kind + " (" + holder.name;
        if (holder.pid != 0) who += ", process " + std::to_string(holder.pid);
        who += ", " + holder.state + ") keeps dead rows since " +
               (holder.since ? seconds_text(facts.now - *holder.since) + " and " : "") +
               std::to_string(holder.age) + " transactions.";
        out.push_back({severity, "vacuum", who, remedy_of(holder)});
    }
    if (!is_held) out.push_back({good, "vacuum", "Nobody holds it back.", ""});
}

Finding judge_clock(const postgres::ServerFacts& server) {
    const Duration skew = server.skew < Duration::zero() ? -server.skew : server.skew;
    const std::string text = "The clock of the database is " + milliseconds_text(skew) +
                             (server.skew < Duration::zero() ? " behind" : " ahead of") +
                             " that of this machine.";
    if (skew <= kSkewMuch + server.round_trip) return {good, "clock", text, ""};
    return {warning, "clock", text,
            "Servers go by the database's clock; let time be synchronised on both."};
}

void judge_work(const postgres::Facts& facts, Findings& out) {
    if (!facts.overdue) return;
    const auto judge_one = [&](std::int64_t count, const std::optional<Instant>& first,
                               const char* what) {
        if (count == 0 || !first || facts.now - *first < kOverdueLong) return false;
        out.push_back({warning, "work",
                       std::to_string(count) + (count >= 1000 ? " or more " : " ") + what +
                           " overdue, the first since " + seconds_text(facts.now - *first) + ".",
                       "Is a server running on this database? Look into its log."});
        return true;
    };
    const bool has_timers = judge_one(facts.overdue->timers, facts.overdue->timer_at, "timers are");
    const bool has_leases = judge_one(facts.overdue->leases, facts.overdue->lease_at, "leases are");
    if (!has_timers && !has_leases) {
        out.push_back({good, "work", "No timer and no lease is overdue.", ""});
    }
}

void judge_replicas(const postgres::Facts& facts, Findings& out) {
    if (!facts.replicas) return;
    std::string alive;
    for (const postgres::ReplicaFacts& replica : *facts.replicas) {
        if (replica.silent_seconds > kSilentSecondsMax) continue;
        alive += (alive.empty() ? "" : ", ") + replica.name + " (" + replica.version + ")";
    }
    out.push_back(alive.empty() ? Finding{info, "servers", "No server runs on this database.", ""}
                                : Finding{good, "servers", "Running: " + alive + ".", ""});
}

void judge_partitions(const postgres::Facts& facts, Findings& out) {
    const auto is_good = [](const postgres::PartitionFacts& table) {
        return table.has_next_month && table.default_bytes == 0;
    };
    if (!facts.partitions.empty() && std::ranges::all_of(facts.partitions, is_good)) {
        out.push_back({good, "partitions", "Those of the next month are there.", ""});
    }
    for (const postgres::PartitionFacts& table : facts.partitions) {
        if (!table.has_next_month) {
            out.push_back({warning, "partitions",
                           "Table " + table.table + " has no partition for the next month.",
                           "A running server makes it: look whether one runs, and into its log."});
        }
        if (table.default_bytes > 0) {
            out.push_back(
                {warning, "partitions",
                 "Rows of table " + table.table + " lie outside of all months.",
                 "A running server moves them: look whether one runs, and into its log."});
        }
    }
}

void judge_privileges(const postgres::Facts& facts, Findings& out) {
    if (!facts.missing_privileges) return;
    for (const postgres::MissingPrivilege& missing : *facts.missing_privileges) {
        const bool is_schema = missing.privilege == "CREATE";
        out.push_back({is_schema ? warning : problem, "privileges",
                       "Role " + facts.server.role + " has no " + missing.privilege +
                           (is_schema ? " on schema " : " on ") + missing.object + ".",
                       "GRANT " + missing.privilege + (is_schema ? " ON SCHEMA " : " ON ") +
                           (missing.privilege == "USAGE" ? "SEQUENCE " : "") + missing.object +
                           " TO " + facts.server.role + ";"});
    }
    if (facts.missing_privileges->empty()) {
        out.push_back({good, "privileges", "The role may do what it needs.", ""});
    }
}

}  // namespace

std::vector<Finding> judge(const postgres::Facts& facts, const PostgresSettings& settings) {
    if (!facts.unreachable.empty()) {
        return {{problem, "connection",
                 "The database cannot be reached: " + facts.unreachable + ".",
                 "Check host, port, database, user and password, and whether it runs."}};
    }
    Findings findings;
    judge_server(facts.server, findings);
    findings.push_back(judge_pooler(facts.server, settings));
    if (!facts.migrations.empty()) findings.push_back(judge_schema(facts.migrations));
    judge_indexes(facts, findings);
    judge_privileges(facts, findings);
    judge_settings(facts, findings);
    findings.push_back(judge_connections(facts, settings));
    judge_tables(facts, findings);
    judge_vacuum(facts, findings);
    findings.push_back(judge_clock(facts.server));
    judge_replicas(facts, findings);
    judge_partitions(facts, findings);
    judge_work(facts, findings);
    for (const std::string& refusal : facts.refusals) {
        findings.push_back({warning, "refused", "Something could not be looked at: " + refusal,
                            "Run this as a role that may look, or mend what it says."});
    }
    return findings;
}

}  // namespace millrace

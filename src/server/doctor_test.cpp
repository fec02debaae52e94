#include "server/doctor.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNow{1'800'000'000s};
const MigrationStatus kApplied{1, "0001_engine", MigrationState::applied, kNow - 1h};
const MigrationStatus kPending{2, "0002_more", MigrationState::pending, std::nullopt};

// A database about which there is nothing to say.
postgres::Facts healthy() {
    return {.server = {.version = "15.4",
                       .version_number = 150004,
                       .is_encrypted = true,
                       .database = "millrace",
                       .schema = "public",
                       .role = "app",
                       .connections = 20,
                       .round_trip = 1ms},
            .settings = {{"archive_mode", "on"},
                         {"autovacuum", "on"},
                         {"fsync", "on"},
                         {"full_page_writes", "on"},
                         {"max_connections", "100"},
                         {"superuser_reserved_connections", "3"},
                         {"synchronous_commit", "on"},
                         {"synchronous_standby_names", "b"},
                         {"track_counts", "on"},
                         {"wal_level", "replica"}},
            .migrations = {kApplied},
            .indexes = {{"job_waiting", true, true}},
            .tables = {{.name = "job", .live_rows = 10, .dead_rows = 100}},
            .overdue = postgres::OverdueWork{},
            .missing_privileges = std::vector<postgres::MissingPrivilege>{},
            .partitions = {{"step_execution", true, 0}},
            .replicas = std::vector<postgres::ReplicaFacts>{{"a:8080", "1.0", 2}},
            .now = kNow};
}

struct Row {
    const char* name;
    void (*change)(postgres::Facts& facts, PostgresSettings& settings);
    Severity severity;
    const char* check;
    const char* text;  // Part of the finding.
};

using Facts = postgres::Facts;
using Settings = PostgresSettings;

const Row kRows[] = {
    {"Unreachable", [](Facts& f, Settings&) { f.unreachable = "no route"; }, Severity::problem,
     "connection", "no route"},
    {"OldServer", [](Facts& f, Settings&) { f.server.version_number = 130010; }, Severity::problem,
     "version", "too old"},
    {"Standby", [](Facts& f, Settings&) { f.server.is_standby = true; }, Severity::problem, "role",
     "standby"},
    {"NoSchema", [](Facts& f, Settings&) { f.server.schema = ""; }, Severity::problem, "schema",
     "search path"},
    {"PoolerAndPrepared", [](Facts& f, Settings&) { f.server.is_pooled = true; }, Severity::warning,
     "pooler", "prepared"},
    {"PoolerWithoutListening",
     [](Facts& f, Settings& s) {
         f.server.is_pooled = true;
         s.prepared_statements = false;
     },
     Severity::info, "pooler", "hear of each other"},
    {"UnpreparedWithoutPooler", [](Facts&, Settings& s) { s.prepared_statements = false; },
     Severity::info, "pooler", "no pooler"},
    {"Pending", [](Facts& f, Settings&) { f.migrations.push_back(kPending); }, Severity::warning,
     "schema", "0002_more"},
    {"NoTables", [](Facts& f, Settings&) { f.migrations = {kPending}; }, Severity::warning,
     "schema", "no tables"},
    {"Newer",
     [](Facts& f, Settings&) {
         f.migrations.push_back({9, "0009_later", MigrationState::unknown, kNow});
     },
     Severity::problem, "schema", "0009_later"},
    {"MissingIndex", [](Facts& f, Settings&) { f.indexes[0].is_there = false; }, Severity::problem,
     "indexes", "missing"},
    {"InvalidIndex", [](Facts& f, Settings&) { f.indexes[0].is_valid = false; }, Severity::problem,
     "indexes", "not valid"},
    {"NoFsync", [](Facts& f, Settings&) { f.settings["fsync"] = "off"; }, Severity::problem,
     "settings", "fsync"},
    {"NoSynchronousCommit", [](Facts& f, Settings&) { f.settings["synchronous_commit"] = "off"; },
     Severity::problem, "settings", "synchronous_commit"},
    {"LocalCommit", [](Facts& f, Settings&) { f.settings["synchronous_commit"] = "local"; },
     Severity::warning, "replication", "local"},
    {"NoStandby", [](Facts& f, Settings&) { f.settings["synchronous_standby_names"] = ""; },
     Severity::info, "replication", "standby"},
    {"NoArchive", [](Facts& f, Settings&) { f.settings["archive_mode"] = "off"; }, Severity::info,
     "archiving", "archive_mode"},
    {"NoAutovacuum", [](Facts& f, Settings&) { f.settings["autovacuum"] = "off"; },
     Severity::problem, "settings", "autovacuum"},
    {"FewConnections", [](Facts& f, Settings&) { f.server.connections = 90; }, Severity::warning,
     "connections", "90 of 97"},
    {"DeadRows", [](Facts& f, Settings&) { f.tables[0].dead_rows = 50'000; }, Severity::warning,
     "tables", "50000 dead"},
    {"TableWithoutAutovacuum", [](Facts& f, Settings&) { f.tables[0].is_autovacuum_off = true; },
     Severity::warning, "tables", "Autovacuum is off"},
    {"HeldForMinutes",
     [](Facts& f, Settings&) {
         f.vacuum_holders = {{"session", "psql of me", 7, "idle in transaction", kNow - 10min, 5}};
     },
     Severity::warning, "vacuum", "process 7"},
    {"HeldForHours",
     [](Facts& f, Settings&) {
         f.vacuum_holders = {{"prepared transaction", "x", 0, "prepared", kNow - 2h, 5}};
     },
     Severity::problem, "vacuum", "prepared transaction"},
    {"DeadSlot",
     [](Facts& f, Settings&) {
         f.vacuum_holders = {{"replication slot", "old", 0, "inactive", std::nullopt, 5}};
     },
     Severity::warning, "vacuum", "old"},
    {"Skew", [](Facts& f, Settings&) { f.server.skew = -5s; }, Severity::warning, "clock",
     "5000 ms behind"},
    {"NoServer", [](Facts& f, Settings&) { f.replicas->clear(); }, Severity::info, "servers",
     "No server"},
    {"NoPartition",
     [](Facts& f, Settings&) {
         f.partitions = {{"step_execution", false, 0}};
     },
     Severity::warning, "partitions", "next month"},
    {"StrayRows",
     [](Facts& f, Settings&) {
         f.partitions = {{"step_execution", true, 8192}};
     },
     Severity::warning, "partitions", "outside"},
    {"OverdueTimers",
     [](Facts& f, Settings&) { f.overdue = {.timers = 3, .timer_at = kNow - 60s}; },
     Severity::warning, "work", "3 timers"},
    {"OverdueLeases",
     [](Facts& f, Settings&) { f.overdue = {.leases = 1000, .lease_at = kNow - 60s}; },
     Severity::warning, "work", "1000 or more leases"},
    {"NoPrivilege",
     [](Facts& f, Settings&) {
         f.missing_privileges = std::vector{postgres::MissingPrivilege{"job", "UPDATE"}};
     },
     Severity::problem, "privileges", "UPDATE on job"},
    {"NoCreate",
     [](Facts& f, Settings&) {
         f.missing_privileges = std::vector{postgres::MissingPrivilege{"public", "CREATE"}};
     },
     Severity::warning, "privileges", "CREATE on schema public"},
    {"Refused", [](Facts& f, Settings&) { f.refusals = {"x: permission denied"}; },
     Severity::warning, "refused", "permission denied"},
};

class DoctorTest : public testing::TestWithParam<Row> {};

TEST_P(DoctorTest, FindsIt) {
    Facts facts = healthy();
    Settings settings;
    GetParam().change(facts, settings);
    std::vector<Finding> bad = judge(facts, settings);
    std::erase_if(bad, [](const Finding& each) { return each.severity == Severity::good; });
    ASSERT_EQ(bad.size(), 1u);
    EXPECT_EQ(bad[0].severity, GetParam().severity);
    EXPECT_EQ(bad[0].check, GetParam().check);
    EXPECT_NE(bad[0].finding.find(GetParam().text), std::string::npos) << bad[0].finding;
    EXPECT_TRUE(bad[0].severity == Severity::info || !bad[0].advice.empty());
}

INSTANTIATE_TEST_SUITE_P(Postgres, DoctorTest, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Doctor, IsContentWithAHealthyDatabase) {
    const std::vector<Finding> findings = judge(healthy(), PostgresSettings{});
    for (const Finding& each : findings) {
        EXPECT_EQ(each.severity, Severity::good) << each.finding;
        EXPECT_EQ(each.advice, "");
    }
    EXPECT_EQ(std::ranges::count(findings, "partitions", &Finding::check), 1);
}

struct SqliteRow {
    const char* check;
    Severity severity;
    void (*change)(sqlite::Facts& facts);
};

TEST(Doctor, JudgesAFile) {
    const sqlite::Facts sound{.path = "a.db",
                              .is_there = true,
                              .holder = 7,
                              .damage = "",
                              .migrations = {kApplied},
                              .bytes_free = std::int64_t{1} << 40};
    for (const Finding& each : judge(sound)) EXPECT_EQ(each.severity, Severity::good);
    const SqliteRow rows[] = {
        {"file", Severity::problem,
         [](sqlite::Facts& f) {
             f.is_there = false;
         }},
        {"file", Severity::problem,
         [](sqlite::Facts& f) {
             f.hidden = "a.db cannot be read: Permission denied.";
         }},
        {"file", Severity::problem,
         [](sqlite::Facts& f) {
             f.holder = 0;
             f.unwritable = "Permission denied";
         }},
        {"integrity", Severity::problem,
         [](sqlite::Facts& f) {
             f.damage.reset();
         }},
        {"server", Severity::info,
         [](sqlite::Facts& f) {
             f.holder = 0;
         }},
        {"schema", Severity::problem,
         [](sqlite::Facts& f) {
             f.unreadable = "no";
         }},
        {"schema", Severity::warning,
         [](sqlite::Facts& f) {
             f.migrations.push_back(kPending);
         }},
        {"integrity", Severity::problem,
         [](sqlite::Facts& f) {
             f.damage = "page 3";
         }},
        {"space", Severity::warning,
         [](sqlite::Facts& f) {
             f.bytes_free = 1;
         }},
        {"space", Severity::warning,
         [](sqlite::Facts& f) {
             f.log_bytes = 1'000'000'000;
         }},
    };
    for (const SqliteRow& row : rows) {
        sqlite::Facts facts = sound;
        row.change(facts);
        const std::vector<Finding> findings = judge(facts);
        const auto bad = std::ranges::find(findings, row.severity, &Finding::severity);
        ASSERT_NE(bad, findings.end()) << row.check;
        EXPECT_EQ(bad->check, row.check);
    }
}

TEST(Doctor, JudgesATarget) {
    struct TargetRow {
        CallResult<NamespaceReport> result;
        Severity severity;
        const char* text;
    };
    const TargetRow rows[] = {
        {{.failure = {true, "UNAVAILABLE", "refused"}}, Severity::problem, "UNAVAILABLE refused"},
        {{.answer = NamespaceReport{}}, Severity::problem, "does not know its namespace"},
        {{.answer = NamespaceReport{true, 23h}}, Severity::warning, "23 h after their end"},
        {{.answer = NamespaceReport{true, 72h}}, Severity::good, "keeps runs for 72 h"},
    };
    for (const TargetRow& row : rows) {
        const Finding finding = judge(TargetAnswer{"main", "t:7233", row.result});
        EXPECT_EQ(finding.severity, row.severity);
        EXPECT_EQ(finding.check, "temporal");
        EXPECT_NE(finding.finding.find(row.text), std::string::npos) << finding.finding;
        EXPECT_NE(finding.finding.find("\"main\" (t:7233)"), std::string::npos);
        EXPECT_EQ(finding.advice.empty(), row.severity == Severity::good);
    }
}

TEST(Doctor, AsksNobodyWhereNoTargetIsSet) {
    EXPECT_TRUE(examine_targets({}).empty());
}

}  // namespace
}  // namespace millrace

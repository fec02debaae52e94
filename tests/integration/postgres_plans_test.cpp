#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "store/postgres/postgres_database.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_plan.hpp"
#include "support/postgres_server.hpp"

namespace millrace::postgres {
namespace {

// Goal: a lost index fails a test. Method: on filled tables, expect it in the plan that the store
// would use, under the settings that the store makes.
class PostgresPlansTest : public testing::Test {
protected:
    static constexpr std::uint64_t kPerType = 4'000;

    PostgresPlansTest() : database_({.target = schema_.target()}), session_(schema_.target()) {
        EXPECT_TRUE(database_.migrate());
    }

    void fill() {
        const auto store = database_.batch_store();
        std::uint64_t first = 1;
        for (const std::string type : {"charge-card", "pack", "ship"}) {
            for (std::uint64_t n = 0; n < kPerType; n += 1'000, first += 1'000) {
                ASSERT_TRUE(write(*store, some_of_everything(first, first + 999, {type})));
            }
        }
        ASSERT_TRUE(write(*store, {.definitions = {definition_record()}}));
        session_.run("ANALYZE");
    }

    static Writes some_of_everything(std::uint64_t first, std::uint64_t last, const JobType& type) {
        Writes writes = starts(first, last, type);
        for (std::size_t i = 0; i < writes.jobs_new.size(); ++i) {
            Job& job = writes.jobs_new[i];
            if (i % 4 == 0) job = *claim(job, kWorker, kLease, kNoon);
            if (i % 4 == 1)
                writes.instances_new[i].business_key = "key " + std::to_string(first + i);
            writes.instances_new[i].definition.id = type.value;
            writes.timers_new.push_back({timer_key(first + i), kNoon + Duration(first + i)});
            writes.step_executions.push_back(closed_step(first + i));
            writes.audit_entries.push_back({.key = {{instance_key(first + i).id.value}, kWorkspace},
                                            .at = kNoon,
                                            .instance_id = instance_key(first + i).id});
            writes.idempotency_records.push_back(
                {.key = {kWorkspace, "instance.start", std::to_string(first + i)},
                 .created_at = kNoon + Duration(first + i)});
        }
        return writes;
    }

    std::string plan(const sql::Statement& statement, const std::string& values, bool is_generic) {
        return postgres::plan(session_, statement, values, is_generic, options_);
    }

    std::string options_;  // Of EXPLAIN.
    PostgresSchema schema_;
    PostgresDatabase database_;
    PostgresSession session_;
};

struct Expected {
    const sql::Statement& statement;
    const char* values;
    bool is_generic;
    std::vector<const char*> scans;
};

TEST_F(PostgresPlansTest, EveryStatementIsAccepted) {
    const auto makes_tables = [](const sql::Statement& statement) {
        return statement.text.find("\nCREATE TABLE") != std::string_view::npos;
    };
    for (const sql::Statement& statement : sql::kStatements) {
        if (makes_tables(statement)) session_.run(std::string(statement.text));
    }
    for (const sql::Statement& statement : sql::kStatements) {
        if (makes_tables(statement) || statement.name == sql::drop_promotion.name) continue;
        session_.run("PREPARE asked AS " + std::string(statement.text));
        session_.run("DEALLOCATE asked");
    }
}

// Which partitions a plan has looked into, without those that it has left out while it ran.
std::set<std::string> partitions_in(const std::string& plan) {
    std::set<std::string> found;
    std::istringstream lines(plan);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t name = line.find(" on step_execution_");
        if (name == std::string::npos || line.find("never executed") != std::string::npos) continue;
        if (line.find("Index Scan") == std::string::npos) continue;
        found.insert(line.substr(name + 4, line.find(' ', name + 4) - name - 4));
    }
    return found;
}

TEST_F(PostgresPlansTest, WhatIsAskedOfOneInstanceIsReadFromOnePartition) {
    fill();
    options_ = "(ANALYZE, TIMING OFF, COSTS OFF)";
    // Of the year 2030, as everything here.
    const std::string id = "01b80000-0000-0000-0000-000000000000";
    const std::string last_id = "01b80000-0000-0000-0000-0000ffffffff";
    const std::string range = "('acme', '" + id + "', '" + last_id + "', 1000, 1000000)";
    const std::string keys = "('{acme}', '{" + id + "}')";
    const std::string ranges = "('{acme}', '{" + id + "}', '{" + last_id + "}')";
    const std::set<std::string> only{"step_execution_default"};
    EXPECT_EQ(partitions_in(plan(sql::read_history, range, false)), only);
    EXPECT_EQ(partitions_in(plan(sql::read_history, range, true)), only);
    EXPECT_EQ(partitions_in(plan(sql::load_step_executions, keys, true)), only);
    EXPECT_EQ(partitions_in(plan(sql::delete_step_executions, ranges, true)), only);
}

TEST_F(PostgresPlansTest, HotStatementsReadTheirIndexes) {
    fill();
    const char* const keys = "('{acme}', '{00000000-0000-0000-0000-000000000000}')";
    const char* const measured_keys = "('{acme}', '{00000000-0000-0000-0000-000000000000}', 65536)";
    const char* const ranges =
        "('{acme}', '{00000000-0000-0000-0000-000000000000}', "
        "'{00000000-0000-0000-0000-0000ffffffff}')";
    const Expected rows[] = {
        {sql::claim_jobs,
         "('acme', 'pack', 0, 10, '{w}', '{2030-01-01}', '2030-01-01', 1000, '{}')",
         true,
         {"Index Scan using job_waiting on job", "Index Scan using job_pkey on job",
          "Index Scan using instance_pkey on instance"}},
        {sql::waiting_types,
         "('{pack,ship}')",
         true,
         {"Index Only Scan using job_waiting on job",
          "Index Cond: (workspace_id > waiting_1.workspace_id)",
          "Index Cond: ((workspace_id = waiting.workspace_id) AND (job_type = asked.job_type))"}},
        {sql::workspace_of_instance,
         "('00000000-0000-0000-0000-000000000000')",
         true,
         {"Index Only Scan using instance_pkey on instance", "Index Cond: (workspace_id > known",
          "Index Cond: ((workspace_id = known.workspace_id) AND (id = "}},
        {sql::expired_leases,
         "('2030-01-01', 10, '2001-01-01', '00000000-0000-0000-0000-000000000000')",
         true,
         {"Index Scan using job_leased on job",
          "Index Cond: ((lock_expires_at <= $1) AND (lock_expires_at >= $3))"}},
        {sql::next_lease_expiry,
         "('2030-01-01')",
         true,
         {"Index Only Scan using job_leased on job", "Index Cond: (lock_expires_at > $1)"}},
        {sql::due_timers,
         "('2030-01-01', 10, '2001-01-01', '00000000-0000-0000-0000-000000000000')",
         true,
         {"Index Scan using timer_fire_at on timer",
          "Index Cond: ((fire_at <= $1) AND (fire_at >= $3))"}},
        {sql::next_timer,
         "('2030-01-01')",
         true,
         {"Index Only Scan using timer_fire_at on timer", "Index Cond: (fire_at > $1)"}},
        {sql::load_instances, measured_keys, true, {"Index Scan using instance_pkey on instance"}},
        {sql::load_jobs, measured_keys, true, {"Index Scan using job_pkey on job"}},
        {sql::load_user_tasks, keys, true, {"Index Scan using user_task_pkey on user_task"}},
        {sql::list_open_user_tasks,
         "('acme', 'OPEN', NULL, NULL, NULL, NULL, '00000000-0000-0000-0000-000000000000', "
         "'ffffffff-ffff-ffff-ffff-ffffffffffff', 20, 0)",
         false,
         {"Index Scan Backward using user_task_open on user_task"}},
        {sql::list_jobs,
         "('acme', NULL, NULL, NULL, '00000000-0000-0000-0000-000000000000', "
         "'ffffffff-ffff-ffff-ffff-ffffffffffff', 20, 0)",
         false,
         {"Index Scan using job_pkey on job"}},
        {sql::load_step_executions, keys, true, {"Index Scan using step_execution_default_pkey"}},
        {sql::load_definitions,
         "('{acme}', '{order}', '{0}')",
         true,
         {"Index Scan Backward using definition_workspace_id_id_version_key"}},
        {sql::delete_jobs, keys, true, {"Index Scan using job_pkey on job"}},
        {sql::delete_timers, keys, true, {"Index Scan using timer_pkey on timer"}},
        {sql::renew_duty_lease,
         "('cluster', '00000000-0000-0000-0000-000000000000', 1)",
         true,
         {"Index Scan using duty_lease_pkey on duty_lease"}},
        {sql::take_duty_lease,
         "('cluster', '00000000-0000-0000-0000-000000000000', 1)",
         true,
         {"Index Scan using duty_lease_pkey on duty_lease"}},
        {sql::check_duty_lease,
         "('cluster', 1)",
         true,
         {"Index Scan using duty_lease_pkey on duty_lease"}},
        {sql::read_instance,
         "('acme', '00000000-0000-0000-0000-000000000000')",
         true,
         {"Index Scan using instance_pkey on instance"}},
        {sql::read_history,
         "('acme', '00000000-0000-0000-0000-000000000000', "
         "'00000000-0000-0000-0000-0000ffffffff', 1000, 1000000)",
         true,
         {"Index Scan using step_execution_first_pkey", "Subplans Removed: 4"}},
        {sql::delete_instances, keys, true, {"Index Scan using instance_pkey on instance"}},
        {sql::delete_step_executions,
         ranges,
         true,
         {"Index Scan using step_execution_default_pkey", "Index Cond: ((ROW(workspace_id, id) >"}},
        {sql::delete_user_tasks,
         ranges,
         true,
         {"Index Scan using user_task_pkey on user_task", "Index Cond: ((ROW(workspace_id, id) >"}},
        {sql::delete_audit_entries, keys, true, {"Index Scan using audit_entry_default_pkey"}},
        {sql::definition_elsewhere,
         "('acme', 'order')",
         true,
         {"Index Scan using definition_of_id on definition", "Index Cond: (id = "}},
        {sql::next_definition,
         "('acme', 'order')",
         true,
         {"Index Only Scan using definition_of_id on definition",
          "Index Only Scan using instance_of_definition on instance",
          "Index Only Scan using execution_of_definition on execution",
          "Index Cond: (ROW(id, workspace_id) > ROW(",
          "Index Cond: (ROW(definition_id, workspace_id) > ROW("}},
        {sql::instance_ends,
         "('acme', 'pack', '00000000-0000-0000-0000-000000000000', "
         "'ffffffff-ffff-ffff-ffff-ffffffffffff', 1000)",
         true,
         {"Index Scan using instance_of_definition on instance"}},
        {sql::next_audited_workspace,
         "('acme')",
         true,
         {"Index Only Scan using audit_entry_default_pkey", "Index Cond: (workspace_id > $1)"}},
        {sql::oldest_audit_entries,
         "('acme', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 1000)",
         true,
         {"Index Only Scan using audit_entry_default_pkey",
          "Index Cond: ((workspace_id = $1) AND (id < $2))"}},
        {sql::list_instances,
         "('acme', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
         "'00000000-0000-0000-0000-000000000000', "
         "'ffffffff-ffff-ffff-ffff-ffffffffffff', 20, 0, 1000)",
         false,
         {"Index Scan Backward using instance_pkey on instance"}},
        {sql::list_instances,
         "('acme', 'pack', NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
         "'00000000-0000-0000-0000-000000000000', "
         "'ffffffff-ffff-ffff-ffff-ffffffffffff', 20, 0, 1000)",
         false,
         {"Index Scan Backward using instance_of_definition on instance"}},
        {sql::list_audit_entries,
         "('acme', NULL, NULL, NULL, NULL, NULL, '00000000-0000-0000-0000-000000000000', "
         "'ffffffff-ffff-ffff-ffff-ffffffffffff', 20, 0)",
         false,
         {"Index Scan Backward using audit_entry_default_pkey on audit_entry_default"}},
        {sql::list_audit_entries,
         "('acme', NULL, NULL, '00000000-0000-0000-0000-000000000001', NULL, NULL, "
         "'00000000-0000-0000-0000-000000000000', "
         "'ffffffff-ffff-ffff-ffff-ffffffffffff', 20, 0)",
         false,
         {"Bitmap Index Scan on audit_entry_default_instance_id_workspace_id_id_idx",
          "Bitmap Index Scan on audit_entry_default_pkey"}},
        {sql::load_idempotency_keys,
         "('{acme}', '{instance.start}', '{k}')",
         true,
         {"Index Scan using idempotency_key_pkey on idempotency_key"}},
        {sql::oldest_idempotency_record,
         "",
         true,
         {"Index Only Scan using idempotency_key_created_at on idempotency_key"}},
        {sql::delete_idempotency_keys,
         "('2020-01-01', 1000)",
         true,
         {"Index Scan using idempotency_key_created_at on idempotency_key",
          "Index Scan using idempotency_key_pkey on idempotency_key"}},
        {sql::list_instances,
         "('acme', NULL, NULL, 'key 2', NULL, NULL, NULL, NULL, NULL, "
         "'00000000-0000-0000-0000-000000000000', "
         "'ffffffff-ffff-ffff-ffff-ffffffffffff', 20, 0, 1000)",
         false,
         {"using instance_business_key on instance"}},
    };
    for (const Expected& row : rows) {
        const std::string text = plan(row.statement, row.values, row.is_generic);
        for (const char* scan : row.scans) {
            EXPECT_NE(text.find(scan), std::string::npos)
                << row.statement.name << row.values << " without " << scan << ":\n"
                << text;
        }
        EXPECT_EQ(text.find("Seq Scan"), std::string::npos) << row.statement.name << ":\n" << text;
    }
}

}  // namespace
}  // namespace millrace::postgres

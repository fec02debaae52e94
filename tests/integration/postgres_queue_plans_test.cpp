#include <gtest/gtest.h>

#include "store/postgres/postgres_database.hpp"
#include "support/executions.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_plan.hpp"

namespace millrace::postgres {
namespace {

constexpr std::uint64_t kExecutions = 8'000;
constexpr std::uint64_t kBatch = 1'000;

// One of each place in turn, and some that are over.
Execution one_of_many(std::uint64_t number) {
    const std::string workspace = "w" + std::to_string(number % 40);
    Execution execution = waiting_execution(number, workspace);
    execution.concurrency_key = "k" + std::to_string(number % 7);
    switch (number % 8) {
        case 0: execution.place = QueuePlace::parked; break;
        case 1: execution.place = QueuePlace::due; break;
        case 2:
        case 3: execution = claim(std::move(execution), kOwner, kNoon + kLease, kNoon); break;
        case 4:
            execution.queue_status = QueueStatus::failed;
            execution.error_reason = "WORKFLOW_FAILED";
            execution.completed_at = kNoon;
            break;
        default: break;
    }
    if (execution.place == QueuePlace::due) execution.due_at = kNoon + Duration(number);
    if (number % 9 == 0) execution.deadline = kNoon + Duration(number);
    return execution;
}

// Goal: a lost index of the queue fails a test. Method: as in postgres_plans_test.cpp.
class PostgresQueuePlansTest : public testing::Test {
protected:
    PostgresQueuePlansTest() : database_({.target = schema_.target()}), session_(schema_.target()) {
        EXPECT_TRUE(database_.migrate());
        const auto store = database_.batch_store();
        Writes workspaces;
        for (int number = 0; number < 40; ++number) {
            const WorkspaceId id{"w" + std::to_string(number)};
            workspaces.workspaces.push_back({.id = id, .plan = "FREE"});
            workspaces.lines.push_back({id, {.is_runnable = number % 2 == 0}});
        }
        EXPECT_TRUE(write(*store, workspaces));
        for (std::uint64_t first = 1; first < kExecutions; first += kBatch) {
            Writes writes;
            for (std::uint64_t number = first; number < first + kBatch; ++number) {
                writes.executions_new.push_back({.execution = one_of_many(number)});
            }
            EXPECT_TRUE(write(*store, writes));
        }
        session_.run("ANALYZE");
    }

    PostgresSchema schema_;
    PostgresDatabase database_;
    PostgresSession session_;
};

TEST_F(PostgresQueuePlansTest, HotStatementsReadTheirIndexes) {
    struct Expected {
        const sql::Statement& statement;
        const char* values;
        bool is_generic;
        std::vector<const char*> scans;
    };
    const char* const any_ids =
        "'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
    const std::string two =
        "'{w1,w1}', '{00000000-0000-0000-0000-000000000001,00000000-0000-0000-0000-000000000002}'";
    const std::string ids = "(" + two + ")";
    const std::string locked = "(" + two + ", " + two + ")";
    const std::string ends = "('w1', 'order', " + std::string(any_ids) + ", 100)";
    const auto listed = [&](const std::string& filters) {
        return "('w1', " + filters + ", " + any_ids + ", 20, 0)";
    };
    const std::string all = listed("NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL");
    const std::string of_definition = listed("NULL, 'order', NULL, NULL, NULL, NULL, NULL, NULL");
    const Expected rows[] = {
        // The order of claims.
        {sql::lock_lines,
         "(0, 16)",
         true,
         {"Index Scan using workspace_queue_runnable on workspace_queue"}},
        {sql::load_ready_executions,
         "('{w1,w2}', '{10,10}', 1000000)",
         true,
         {"using execution_open_ready on execution_open",
          // By the id, in the primary key or behind workspace and status.
          "Index Scan using execution_", "execution_open_active"}},
        // The locks of batches.
        {sql::lock_executions,
         locked.c_str(),
         true,
         {"Index Scan using execution_pkey on execution",
          "Index Scan using instance_pkey on instance"}},
        {sql::load_executions,
         locked.c_str(),
         true,
         {"Index Scan using execution_pkey on execution",
          "Index Scan using execution_open_pkey on execution_open"}},
        {sql::present_instances, ids.c_str(), true, {"using instance_pkey on instance"}},
        {sql::delete_open_executions,
         ids.c_str(),
         true,
         {"using execution_open_pkey on execution_open", "execution_open_parked",
          "Index Scan using execution_pkey on execution"}},
        {sql::queue_position,
         "('w1', '2030-01-01', '00000000-0000-0000-0000-000000000000', 100)",
         true,
         {"using execution_open_ready on execution_open"}},
        {sql::workspace_of_instance,
         "('00000000-0000-0000-0000-000000000000')",
         true,
         {"using execution_pkey on execution"}},
        // Leases and times.
        {sql::unattended_executions,
         "('2030-01-01', 10, NULL)",
         true,
         {"Index Scan using execution_open_unattended on execution_open",
          "Index Cond: (due_at <= $1)"}},
        {sql::due_executions,
         "('2030-01-01', 10)",
         true,
         {"using execution_open_due on execution_open",
          "using execution_open_deadline on execution_open"}},
        // Workspace and status.
        {sql::slot_holders, "('w1', NULL, 20)", true, {"execution_open_active"}},
        {sql::list_executions, all.c_str(), false, {"on execution"}},
        {sql::list_executions, of_definition.c_str(), false, {"execution_of_definition"}},
        {sql::execution_ends, ends.c_str(), true, {"execution_of_definition on execution"}},
        {sql::count_dead_letters, "('w1', 100)", false, {"execution_dead"}},
        {sql::dead_letter_groups, "('w1', 10)", true, {"execution_dead"}},
    };
    for (const Expected& row : rows) {
        const std::string text = plan(session_, row.statement, row.values, row.is_generic);
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

// Goal: no statement of the queue reads more than it gives, however much waits beside it.
// Method: SQLite says which index it goes through; a lost index fails a row.

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "store/sqlite/migrate.hpp"
#include "store_sqlite_sql.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::sqlite {
namespace {

struct Expectation {
    const sql::Statement& statement;
    std::vector<std::string> parts;  // Of the plan.
};

class QueuePlans : public testing::Test {
protected:
    QueuePlans() { EXPECT_TRUE(migrate(connection_, sql::kMigrations)); }

    std::string plan_of(const sql::Statement& statement) {
        const std::string text = "EXPLAIN QUERY PLAN " + std::string(statement.text);
        std::string plan;
        const auto add = [](void* out, int, char** values, char**) {
            *static_cast<std::string*>(out) += std::string(values[3]) + "\n";
            return 0;
        };
        EXPECT_EQ(sqlite3_exec(connection_.handle(), text.c_str(), add, &plan, nullptr), SQLITE_OK)
            << statement.name;
        return plan;
    }

    TemporaryFolder folder_;
    Connection connection_ =
        std::move(*Connection::open(folder_.path() / "test.db", Connection::Mode::read_write));
};

TEST_F(QueuePlans, GoThroughTheirIndexes) {
    const std::string ready = "USING INDEX execution_open_ready (workspace_id=?)";
    const std::string active = "USING INDEX execution_open_active (workspace_id=?)";
    const std::string of_key = "_active (workspace_id=? AND concurrency_key=?)";
    const std::string parked = "_parked (workspace_id=? AND concurrency_key=?)";
    const std::string dead = "execution_dead (workspace_id=? AND id>? AND id<?)";
    const std::string status = "_of_status (workspace_id=? AND queue_status=? AND id>? AND id<?)";
    const std::string definition =
        "_of_definition (definition_id=? AND workspace_id=? AND id>? AND id<?)";
    const std::string record = "sqlite_autoindex_execution_1 (id=? AND workspace_id=?)";
    const std::string open_row = "USING PRIMARY KEY (id=? AND workspace_id=?)";
    const Expectation expectations[] = {
        {sql::busy_workspaces,
         {ready, active, "_parked (workspace_id=?)", "_waiting (workspace_id=?)"}},
        {sql::count_all_dead_letters, {"USING INDEX execution_dead"}},
        {sql::count_dead_letters, {dead}},
        {sql::count_executions, {status}},
        {sql::count_executions_of_definition, {definition}},
        {sql::count_lines, {ready, active}},
        {sql::dead_letter_groups, {"execution_dead (workspace_id=?)"}},
        {sql::delete_executions, {record}},
        {sql::delete_open_executions, {open_row}},
        {sql::due_executions, {"_due (due_at<?)", "_deadline (deadline<?)"}},
        {sql::end_executions, {record}},
        {sql::execution_ends, {definition}},
        {sql::list_dead_letters, {dead}},
        {sql::list_executions, {status}},
        {sql::list_executions_of_definition, {definition}},
        {sql::list_oldest_dead_letters, {dead}},
        {sql::list_oldest_executions, {status}},
        {sql::load_executions, {record, open_row}},
        {sql::load_orphaned_executions, {ready}},
        {sql::load_ready_executions, {ready, of_key}},
        {sql::lock_lines, {"workspace_queue_runnable (virtual_time>?)"}},
        {sql::lowest_virtual_time, {"workspace_queue_runnable"}},
        {sql::move_executions, {record}},
        {sql::next_due_execution, {"_due (due_at>?)", "_deadline (deadline>?)"}},
        {sql::next_unattended_execution, {"_unattended (due_at>?)"}},
        {sql::parked_keys, {"_parked ((workspace_id,concurrency_key)>(?,?))"}},
        {sql::put_open_executions, {parked}},
        {sql::queue_position, {"_ready (workspace_id=? AND (rank_at,id)<(?,?))"}},
        {sql::read_execution, {"sqlite_autoindex_execution_1 (id=?)", open_row}},
        {sql::read_queues, {ready, active}},
        {sql::set_execution_results, {record}},
        {sql::slot_holders, {active}},
        {sql::stale_claims, {"USING INDEX execution_open_active"}},
        {sql::unattended_executions, {"_unattended (due_at>? AND due_at<?)"}},
        {sql::unpark_executions, {parked, of_key}},
        {sql::update_executions, {record}},
        {sql::waiting_workspaces, {"_ready (workspace_id>?)"}},
    };
    for (const Expectation& each : expectations) {
        const std::string plan = plan_of(each.statement);
        for (const std::string& part : each.parts) {
            EXPECT_NE(plan.find(part), std::string::npos)
                << each.statement.name << " without " << part << ":\n"
                << plan;
        }
    }
}

// What is read in the order of its index needs no sorting, and ends where the page does.
TEST_F(QueuePlans, DoNotSortWhatComesInOrder) {
    for (const sql::Statement& statement :
         {sql::list_executions, sql::list_oldest_executions, sql::list_executions_of_definition,
          sql::list_dead_letters, sql::list_oldest_dead_letters, sql::load_ready_executions,
          sql::load_orphaned_executions, sql::lock_lines, sql::waiting_workspaces, sql::parked_keys,
          sql::unpark_executions, sql::unattended_executions, sql::execution_ends,
          sql::busy_workspaces, sql::list_workspaces}) {
        const std::string plan = plan_of(statement);
        EXPECT_EQ(plan.find("TEMP B-TREE"), std::string::npos) << statement.name << ":\n" << plan;
    }
}

}  // namespace
}  // namespace millrace::sqlite

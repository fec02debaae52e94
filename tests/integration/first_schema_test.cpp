#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/complete_user_task.hpp"
#include "engine/get_job.hpp"
#include "engine/list_user_tasks.hpp"
#include "store/postgres/migrate.hpp"
#include "store/postgres/postgres_database.hpp"
#include "store/sqlite/migrate.hpp"
#include "store/sqlite/sqlite_database.hpp"
#include "store_postgres_sql.hpp"
#include "store_sqlite_sql.hpp"
#include "support/postgres_server.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kOrder = R"({"id":"order","name":"Order","steps":[
    {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"charge","nextStep":"done"},
    {"id":"done","name":"Done","type":"END"}]})";

std::string rows_of(const std::string& dialect) {
    const std::ifstream in(std::filesystem::path(MILLRACE_FIRST_SCHEMA_FOLDER) /
                           (dialect + ".sql"));
    EXPECT_TRUE(in) << dialect;
    std::ostringstream out;
    out << in.rdbuf();
    return std::move(out).str();
}

// A store that only ever met the first migration, with the rows of that time.
class EarlierStore {
public:
    virtual ~EarlierStore() = default;
    virtual Database& database() = 0;
};

class EarlierSqlite final : public EarlierStore {
public:
    EarlierSqlite() {
        using sqlite::Connection;
        Result<Connection> connection = Connection::open(path_, Connection::Mode::read_write);
        MILLRACE_CHECK(connection);
        MILLRACE_CHECK(
            sqlite::migrate(*connection, std::span(sqlite::sql::kMigrations).first<1>()));
        MILLRACE_CHECK(connection->run_script(rows_of("sqlite")));
    }

    Database& database() override { return database_; }

private:
    TemporaryFolder folder_;
    std::string path_ = folder_.path() / "millrace.db";
    SqliteDatabase database_{path_};
};

class EarlierPostgres final : public EarlierStore {
public:
    EarlierPostgres() {
        postgres::Connection connection({.target = schema_.target()});
        MILLRACE_CHECK(
            postgres::migrate(connection, std::span(postgres::sql::kMigrations).first<1>()));
        PostgresSession(schema_.target()).run(rows_of("postgres"));
    }

    Database& database() override { return database_; }

private:
    PostgresSchema schema_;
    PostgresDatabase database_{{.target = schema_.target()}};
};

struct Candidate {
    const char* name;
    std::unique_ptr<EarlierStore> (*make)();
};

template <class Store>
std::unique_ptr<EarlierStore> make() {
    return std::make_unique<Store>();
}

class FirstSchemaTest : public testing::TestWithParam<Candidate> {
protected:
    void SetUp() override {
        const Status status = store_->database().migrate();
        ASSERT_TRUE(status) << status.error().detail;
        node_.emplace(store_->database(), clock_);
        const auto found = node_->reader().instances({.workspace_id = kWorkspace}, {});
        ASSERT_TRUE(found) << found.error().detail;
        for (const Instance& each : found->items) instances_.emplace(each.business_key, each);
        ASSERT_EQ(instances_.size(), 3U);
        clock_.advance(instances_["open"].started_at - clock_.now() + 1s);
    }

    InstanceKey key_of(const std::string& business_key) { return instances_.at(business_key).key; }

    // The part `sequence` of an instance.
    Id128 part_of(const std::string& business_key, std::uint32_t sequence) {
        return key_of(business_key).id.value.with_sequence(sequence);
    }

    Result<Instance> approve(const std::string& business_key) {
        return node_->run(CompleteUserTask{
            .instance = key_of(business_key), .step_id = "approve", .completed_by = "ada"});
    }

    std::unique_ptr<EarlierStore> store_ = GetParam().make();
    FakeClock clock_{Instant{}};
    std::optional<TestNode> node_;
    std::map<std::string, Instance> instances_;
};

INSTANTIATE_TEST_SUITE_P(All, FirstSchemaTest,
                         testing::Values(Candidate{"Sqlite", make<EarlierSqlite>},
                                         Candidate{"Postgres", make<EarlierPostgres>}),
                         [](const auto& store) { return store.param.name; });

TEST_P(FirstSchemaTest, OpenUserTasksAreListedWithTheirDefinition) {
    const auto tasks = read(
        ListUserTasks{
            {.workspace_id = kWorkspace, .status = UserTaskState::open, .definition_id = "order"}},
        node_->reader());
    ASSERT_TRUE(tasks) << tasks.error().detail;
    ASSERT_EQ(tasks->items.size(), 2U);
    EXPECT_EQ(tasks->items[0].key.id.value, part_of("open", 7));
    EXPECT_EQ(tasks->items[1].key.id.value, part_of("leased", 7));
    for (const UserTask& task : tasks->items) {
        EXPECT_EQ(task.definition_id, "order");
        EXPECT_EQ(task.definition_version, 1);
        EXPECT_EQ(task.step_id, "approve");
        EXPECT_EQ(task.name, "approve");
        EXPECT_EQ(task.assignee, "");
        EXPECT_TRUE(task.candidate_groups.empty());
    }
}

TEST_P(FirstSchemaTest, AnOpenInstanceIsWorkedToItsEnd) {
    const std::vector<DeliveredJob> jobs = node_->poll("charge");
    ASSERT_EQ(jobs.size(), 1U);
    EXPECT_EQ(jobs[0].job.key.id.value, part_of("open", 4));
    EXPECT_EQ(jobs[0].job.lease_token, 1);
    EXPECT_EQ(jobs[0].variables.text(), R"({"quantity":3,"total":60})");
    ASSERT_TRUE(node_->complete(jobs[0], R"({"paid":true})"));
    const Result<Instance> over = approve("open");
    ASSERT_TRUE(over) << over.error().detail;
    EXPECT_EQ(over->status, InstanceStatus::completed);
    EXPECT_EQ(over->variables.text(), R"({"quantity":3,"total":60,"paid":true})");
    EXPECT_EQ(node_->told(key_of("open")),
              "price:COMPLETED fork:COMPLETED charge:COMPLETED approve:COMPLETED join:COMPLETED "
              "done:COMPLETED");
    const auto timer = node_->reader().next_timer(Instant{});
    ASSERT_TRUE(timer && *timer);
    clock_.advance(2h);
    node_->settle();
    EXPECT_EQ(node_->poll("remind").size(), 1U) << "only the other order has a timer left";
}

TEST_P(FirstSchemaTest, AWorkerKeepsTheJobThatItHas) {
    const JobKey key{{part_of("leased", 4)}, kWorkspace};
    const auto done = node_->run(CompleteJob{.job = key, .proof = {WorkerId{"wanda"}, 1}});
    ASSERT_TRUE(done) << done.error().detail;
    const Result<Instance> over = approve("leased");
    ASSERT_TRUE(over) << over.error().detail;
    EXPECT_EQ(over->status, InstanceStatus::completed);
}

TEST_P(FirstSchemaTest, ALeaseRunsOut) {
    clock_.advance(61s);
    node_->settle();
    const std::vector<DeliveredJob> jobs = node_->poll("charge");
    ASSERT_EQ(jobs.size(), 2U);
    std::map<Id128, std::int64_t> tokens;
    for (const DeliveredJob& each : jobs) tokens[each.job.key.id.value] = each.job.lease_token;
    EXPECT_EQ(tokens[part_of("leased", 4)], 2);
    EXPECT_EQ(tokens[part_of("open", 4)], 1);
}

TEST_P(FirstSchemaTest, TimersFire) {
    clock_.advance(1h);
    node_->settle();
    EXPECT_EQ(node_->poll("remind").size(), 2U);
}

TEST_P(FirstSchemaTest, HistoryIsKept) {
    EXPECT_EQ(node_->told(key_of("over")),
              "price:COMPLETED fork:COMPLETED charge:COMPLETED approve:COMPLETED join:COMPLETED "
              "done:COMPLETED");
    const Result<JobView> job = read(GetJob{{{part_of("over", 4)}, kWorkspace}}, node_->reader());
    ASSERT_TRUE(job) << job.error().detail;
    EXPECT_EQ(job->job.status, JobState::completed);
    ASSERT_EQ(job->tries.size(), 2U);
    EXPECT_EQ(job->tries[0].outcome, TryOutcome::failed);
    EXPECT_EQ(job->tries[0].message, "no answer");
    EXPECT_EQ(job->tries[1].outcome, TryOutcome::completed);
}

TEST_P(FirstSchemaTest, NumbersGoOnBehindThoseThatWereGivenOut) {
    EXPECT_EQ(node_->upload(kOrder).version, 2);
    const Result<Instance> started = node_->start("order");
    ASSERT_TRUE(started) << started.error().detail;
    EXPECT_EQ(started->definition.version, 2);
    const std::vector<DeliveredJob> first = node_->poll("charge", 1);
    const std::vector<DeliveredJob> second = node_->poll("charge", 1);
    ASSERT_EQ(first.size(), 1U);
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(first[0].job.key.id.value, part_of("open", 4)) << "it has waited longer";
    EXPECT_EQ(second[0].job.key.id.value.with_sequence(0), started->key.id.value);
}

}  // namespace
}  // namespace millrace

// Goal: whatever millrace_enqueue is given is refused at once, runs, or fails alone with a reason;
// it never stops dispatch, wherever the caller stands. Method: calls in a session whose search path
// leads elsewhere, and rows as earlier versions of the function have left them.

#include <gtest/gtest.h>

#include <cstdlib>

#include "queue/create_workspace.hpp"
#include "store/postgres/postgres_database.hpp"
#include "support/postgres_server.hpp"
#include "support/remote_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kDecision = R"({"id": "order", "name": "Order", "steps": [
    {"id": "way", "name": "W", "type": "DECISION", "conditionalNextSteps": {"true": "end"}},
    {"id": "end", "name": "E", "type": "END"}]})";

class EnqueueBySqlTest : public testing::Test {
protected:
    EnqueueBySqlTest() {
        EXPECT_TRUE(database_.migrate());
        name_ = PostgresSession(schema_.target()).run("SELECT current_schema()");
        node_.emplace(database_, clock_, RemoteRuns::Executors{});
        EXPECT_TRUE(node_->run(CreateWorkspace{
            .id = {"sql"}, .settings = {.plan = "UNLIMITED"}, .plans = default_plans()}));
        node_->upload(kDecision, {"sql"});
    }

    // What the function is called with, beside workspace and definition.
    std::string enqueue(const std::string& arguments = "'{}', '{}'") {
        return caller_.run("SELECT " + name_ + ".millrace_enqueue('sql', 'order', " + arguments +
                           ")");
    }

    static std::string of(const std::string& id) {
        return " WHERE millrace_id_text(id) = '" + id + "'";
    }

    // "" when it is taken, else the SQLSTATE.
    std::string refusal(const std::string& arguments) {
        return caller_.run("DO $do$ BEGIN PERFORM " + name_ + ".millrace_enqueue('sql', 'order', " +
                           arguments +
                           "); PERFORM set_config('door.state', '', false);"
                           " EXCEPTION WHEN OTHERS THEN"
                           " PERFORM set_config('door.state', SQLSTATE, false); END $do$;"
                           " SELECT current_setting('door.state')");
    }

    void settle() {
        for (int second = 0; second < 5; ++second) {
            clock_.advance(1s);
            node_->settle();
        }
    }

    Execution execution(const std::string& id) {
        return node_->execution({{*parse_ulid(id)}, {"sql"}});
    }

    std::string status(const std::string& id) {
        return std::string(to_string(execution(id).queue_status));
    }

    PostgresSchema schema_;
    PostgresDatabase database_{{.target = schema_.target()}};
    FakeClock clock_{kNoon};
    std::string name_;
    std::optional<RemoteNode> node_;
    PostgresSession caller_{std::getenv("MILLRACE_TEST_POSTGRES")};  // In the schema public.
};

TEST_F(EnqueueBySqlTest, RefusesWhatIsNoBoundNoNameAndNoText) {
    for (const char* arguments : {
             R"('{"a":"\ud800"}', '{}')",
             R"('{"a":"\u0000"}', '{}')",
             R"(('{"a":"' || repeat('x', 4194304) || '"}')::json, '{}')",
             R"('{}', '{"notBefore":"infinity"}')",
             R"('{}', '{"notBefore":"20000-01-01"}')",
             R"('{}', '{"deadline":"-infinity"}')",
             R"('{}', '{"definitionVersion":-1}')",
             R"('{}', jsonb_build_object('requestedBy', repeat('x', 257)))",
         }) {
        EXPECT_NE(refusal(arguments), "") << arguments;
    }
    for (const char* arguments : {
             R"('{}', '{"notBefore":"-infinity","deadline":"infinity"}')",
             R"('{}', '{"definitionVersion":0}')",
             R"('{}', jsonb_build_object('requestedBy', repeat('x', 256)))",
         }) {
        EXPECT_EQ(refusal(arguments), "") << arguments;
    }
}

TEST_F(EnqueueBySqlTest, InputsThatNobodyCanReadFailAlone) {
    const std::vector<std::string> bad = {
        enqueue(R"('{"a":1,"a":2}')"),
        enqueue(R"('{"a":1e999}')"),
        enqueue(R"((repeat('{"a":', 200) || '1' || repeat('}', 200))::json)"),
        enqueue(R"(('{"a":[0' || repeat(',0', 1000000) || ']}')::json)"),
    };
    const std::string good = enqueue(R"('{"a":1}')");
    settle();
    EXPECT_EQ(status(good), "COMPLETED");
    for (const std::string& id : bad) {
        EXPECT_EQ(status(id), "FAILED");
        EXPECT_EQ(execution(id).error_reason, failure::kInvalidInput);
    }
}

// Before the function refused them, they stopped the dispatch of every workspace.
TEST_F(EnqueueBySqlTest, InfiniteTimesOfAnEarlierVersionStopNobody) {
    const std::string ids[] = {enqueue(), enqueue(), enqueue(), enqueue()};
    const char* changes[] = {"SET not_before = '-infinity'", "SET deadline = '-infinity'",
                             "SET not_before = 'infinity'", "SET deadline = 'infinity'"};
    PostgresSession session(schema_.target());
    for (std::size_t i = 0; i < 4; ++i) {
        session.run("UPDATE execution " + std::string(changes[i]) + of(ids[i]));
    }
    const std::string good = enqueue();
    settle();
    EXPECT_EQ(status(good), "COMPLETED");
    EXPECT_EQ(status(ids[0]), "COMPLETED");
    EXPECT_EQ(execution(ids[1]).error_reason, failure::kDeadlineExceeded);
    EXPECT_EQ(status(ids[2]), "COMPLETED");
    EXPECT_EQ(status(ids[3]), "COMPLETED");
    EXPECT_EQ(session.run("SELECT not_before " + std::string("FROM execution") + of(ids[0])),
              "-infinity")
        << "a time that is read is written as it was";
}

TEST_F(EnqueueBySqlTest, MeansItsOwnSchemaWhereverTheCallerStands) {
    PostgresDatabase replica({.target = schema_.target(), .replica_id = {7, 1}});
    const auto listener = replica.hint_listener();
    ASSERT_TRUE(listener->wait(30s));  // From now on it hears.
    caller_.run("CREATE TEMPORARY TABLE execution (id integer)");
    EXPECT_FALSE(enqueue().empty());
    std::vector<Hint> heard;
    for (int n = 0; n < 100 && heard.empty(); ++n) {
        const auto hints = listener->wait(30s);
        ASSERT_TRUE(hints);
        heard = *hints;
    }
    ASSERT_FALSE(heard.empty());
    EXPECT_EQ(heard.front().queues, std::vector{WorkspaceId{"sql"}});
}

}  // namespace
}  // namespace millrace

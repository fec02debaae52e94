// Answers that take longer than a request.

#include <gtest/gtest.h>

#include <fstream>

#include "base/json/parse.hpp"
#include "core/access/principal.hpp"
#include "core/limits.hpp"
#include "engine/get_instance.hpp"
#include "support/rest_engine.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::rest {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFlow = R"({"id":"flow","name":"Flow","steps":[
  {"id":"a","name":"A","type":"WAIT","nextStep":"b"},
  {"id":"b","name":"B","type":"WAIT","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";

class RestStreamsTest : public testing::Test {
protected:
    std::string start() {
        EXPECT_EQ(engine_.post("/v1/definitions", kFlow).status, 201);
        return engine_.post("/v1/instances", R"({"definitionId":"flow"})")["id"];
    }
    std::shared_ptr<FakeExchange> follow(const std::string& id, const std::string& query = {}) {
        return engine_.send("GET", "/v1/instances/" + id + "/events" + query);
    }
    void signal(const std::string& id, const std::string& step) {
        EXPECT_EQ(engine_.post("/v1/instances/" + id + "/signals/" + step).status, 204);
    }
    // "a:RUNNING WAITING": what the events say, steps and instance in order.
    static std::string told(const std::string& text) {
        std::string out;
        for (std::size_t at = 0; (at = text.find("data: ", at)) != std::string::npos;) {
            at += 6;
            const auto value = json::parse(text.substr(at, text.find('\n', at) - at));
            EXPECT_TRUE(value) << text;
            if (!value) return out;
            const json::Value* step = value->find("stepId");
            if (!out.empty()) out += ' ';
            if (step != nullptr) out += *step->if_string() + ":";
            out += *value->find("status")->if_string();
        }
        return out;
    }
    static std::string last_id(const std::string& text) {
        const std::size_t at = text.rfind("id: ") + 4;
        return text.substr(at, text.find('\n', at) - at);
    }

    RestEngine engine_;
};

TEST_F(RestStreamsTest, FollowsAnInstanceToItsEnd) {
    const std::string id = start();
    const auto exchange = follow(id);
    FakeStream& stream = *exchange->stream();
    EXPECT_EQ(exchange->answer()->content_type, "text/event-stream");
    EXPECT_EQ(told(stream.text()), "a:RUNNING WAITING");
    signal(id, "a");
    EXPECT_EQ(told(stream.text()), "a:RUNNING WAITING a:COMPLETED b:RUNNING WAITING");
    EXPECT_FALSE(stream.is_ended());
    signal(id, "b");
    EXPECT_EQ(told(stream.text()),
              "a:RUNNING WAITING a:COMPLETED b:RUNNING WAITING b:COMPLETED done:COMPLETED "
              "COMPLETED");
    EXPECT_TRUE(stream.is_ended());
    EXPECT_EQ(stream.text().find(R"("variables":)"), std::string::npos);
}

TEST_F(RestStreamsTest, SendsFollowersAwayWhoseKeyIsGone) {
    const InstanceKey key{{*parse_ulid(start())}, {"default"}};
    for (const Credential credential : {Credential::key, Credential::certificate}) {
        const auto follower = std::make_shared<const Principal>(
            Principal{.credential = credential, .key_id = "nobody000000"});
        const auto exchange = std::make_shared<FakeExchange>("id");
        engine_.event_streams().open(key, {}, follower, http::Responder(exchange));
        engine_.work();
        ASSERT_FALSE(exchange->stream()->is_ended());
        (void)engine_.event_streams().run_once();
        engine_.work();
        // A certificate was looked at when the connection was made, and is no key that could go.
        EXPECT_EQ(exchange->stream()->is_ended(), credential == Credential::key);
        EXPECT_EQ(exchange->stream()->why_ended(), credential == Credential::key
                                                       ? http::StreamEnd::unauthenticated
                                                       : http::StreamEnd::complete);
    }
}

TEST_F(RestStreamsTest, TellsThatVariablesHaveChanged) {
    const std::string id = start();
    const auto exchange = follow(id);
    EXPECT_NE(exchange->stream()->text().find(R"("variablesVersion":0)"), std::string::npos);
    EXPECT_EQ(
        engine_.ask("PATCH", "/v1/instances/" + id + "/variables", R"({"variables":{"a":"new"}})")
            .status,
        200);
    const std::string text = exchange->stream()->text();
    EXPECT_EQ(told(text), "a:RUNNING WAITING WAITING");
    EXPECT_NE(text.find(R"("variablesVersion":1)"), std::string::npos) << text;
    EXPECT_EQ(text.find("new"), std::string::npos) << "that, and not what";
}

TEST_F(RestStreamsTest, GoesOnAfterTheLastEventSeen) {
    const std::string id = start();
    const auto first = follow(id);
    const std::string place = last_id(first->stream()->text());
    first->stream()->close();
    signal(id, "a");
    EXPECT_EQ(told(first->stream()->text()), "a:RUNNING WAITING");
    EXPECT_EQ(told(follow(id, "?lastEventId=" + place)->stream()->text()),
              "a:COMPLETED b:RUNNING WAITING");
    EXPECT_EQ(told(follow(id, "?lastEventId=nonsense")->stream()->text()),
              "a:COMPLETED b:RUNNING WAITING");
}

TEST_F(RestStreamsTest, KeepsTheConnectionAlive) {
    const auto exchange = follow(start());
    engine_.pass(14s);
    EXPECT_TRUE(engine_.event_streams().run_once());
    EXPECT_EQ(exchange->stream()->text().find(": keep-alive"), std::string::npos);
    engine_.pass(1s);
    EXPECT_TRUE(engine_.event_streams().run_once());
    EXPECT_NE(exchange->stream()->text().find(": keep-alive\n\n"), std::string::npos);
    exchange->stream()->close();
    EXPECT_FALSE(engine_.event_streams().run_once());
}

TEST(RestStreamsKeysTest, EndWithTheKeyTheyWereOpenedWith) {
    RestEngine engine(RestEngine::Keys::asked_for);
    const auto admin = headers_of(engine.add_key(Role::admin));
    const std::string viewer = engine.add_key(Role::viewer);
    EXPECT_EQ(engine.ask("POST", "/v1/definitions", kFlow, admin).status, 201);
    const std::string id =
        engine.ask("POST", "/v1/instances", R"({"definitionId":"flow"})", admin)["id"];
    const auto of_viewer =
        engine.send("GET", "/v1/instances/" + id + "/events", "", headers_of(viewer));
    const auto of_admin = engine.send("GET", "/v1/instances/" + id + "/events", "", admin);
    const auto round = [&engine] {
        EXPECT_TRUE(engine.event_streams().run_once());
        engine.work();
    };
    round();
    EXPECT_FALSE(of_viewer->stream()->is_ended());

    const std::string key_id = viewer.substr(3, viewer.find('_', 3) - 3);
    EXPECT_EQ(engine.ask("DELETE", "/v1/keys/" + key_id, "", admin).status, 204);
    round();
    EXPECT_TRUE(of_viewer->stream()->is_ended());
    EXPECT_FALSE(of_admin->stream()->is_ended());
    const std::string seen = of_viewer->stream()->text();
    EXPECT_EQ(engine.ask("POST", "/v1/instances/" + id + "/signals/a", "", admin).status, 204);
    EXPECT_EQ(of_viewer->stream()->text(), seen);
    EXPECT_GT(of_admin->stream()->text().size(), seen.size());
}

TEST_F(RestStreamsTest, EndsWhenAWriteFindsTheClientGone) {
    const std::string id = start();
    const auto exchange = follow(id);
    exchange->stream()->lose();
    signal(id, "a");
    EXPECT_EQ(told(exchange->stream()->text()), "a:RUNNING WAITING");
    EXPECT_FALSE(engine_.event_streams().run_once());
}

TEST_F(RestStreamsTest, LooksAgainWhenTooManyQueriesWaited) {
    const std::string id = start();
    const auto exchange = follow(id);
    for (std::size_t i = 0; i < limits::kWaitingQueriesMax; ++i) {
        engine_.queries().submit(GetInstance{}, [](const Result<Instance>&) {});
    }
    signal(id, "a");
    EXPECT_EQ(told(exchange->stream()->text()), "a:RUNNING WAITING");
    EXPECT_TRUE(engine_.event_streams().run_once());
    engine_.work();
    EXPECT_EQ(told(exchange->stream()->text()), "a:RUNNING WAITING a:COMPLETED b:RUNNING WAITING");
}

TEST_F(RestStreamsTest, HasNothingToFollowWhereThereIsNoInstance) {
    EXPECT_EQ(engine_.get("/v1/instances/nonsense/events").status, 404);
    EXPECT_EQ(engine_.get("/v1/instances/01ARZ3NDEKTSV4RRFFQ6900000/events").status, 404);
}

TEST_F(RestStreamsTest, SendsABackupPieceByPiece) {
    const TemporaryFolder folder;
    const std::string path = folder.path() / "copy";
    std::string content(700'000, 'x');
    content += "end";
    std::ofstream(path, std::ios::binary) << content;
    engine_.backup = FileToSend{path, nullptr};
    const auto exchange = engine_.send("POST", "/v1/backup");
    FakeStream& stream = *exchange->stream();
    EXPECT_LT(stream.text().size(), content.size());
    while (stream.drain()) {
    }
    EXPECT_EQ(stream.text(), content);
    EXPECT_TRUE(stream.is_ended());
}

TEST_F(RestStreamsTest, SaysWhyThereIsNoBackup) {
    EXPECT_EQ(engine_.post("/v1/backup").status, 409);
}

}  // namespace
}  // namespace millrace::rest

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "millrace/client/client.hpp"
#include "scripted_server.hpp"

namespace millrace::client {
namespace {

using namespace std::chrono_literals;

Answer chunked(const std::vector<std::string>& pieces, bool ends = true) {
    Answer answer{.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"};
    for (const std::string& piece : pieces) {
        std::array<char, 20> size{};
        std::snprintf(size.data(), size.size(), "%zx\r\n", piece.size());
        answer.bytes += size.data() + piece + "\r\n";
    }
    if (ends) answer.bytes += "0\r\n\r\n";
    answer.close_after = !ends;
    return answer;
}

const std::vector<std::string> kEvents{
    "id: 7\nevent: instance\ndata: {\"status\":\"ACTIVE\"}\n\n", ": keep-alive\n\n",
    "id: 8\nevent: step\ndata: {\"stepId\":\"a\"}\n\n",
    "id: 9\nevent: instance\ndata: {\"status\":\"COMPLETED\"}\n\n"};

TEST(WatchInstance, CallsBackForEachEventUntilTheEnd) {
    const ScriptedServer server([](const Received&) { return chunked(kEvents); });
    Client client({.server = server.url()});
    std::vector<std::string> seen;
    const Status status =
        client.watch_instance({.instance_id = "i"}, [&](const InstanceEvent& event) {
            seen.push_back(event.id + " " + event.type + " " +
                           std::string(event.data.text("status")) +
                           std::string(event.data.text("stepId")));
            return true;
        });
    EXPECT_TRUE(status);
    EXPECT_EQ(seen,
              (std::vector<std::string>{"7 instance ACTIVE", "8 step a", "9 instance COMPLETED"}));
    EXPECT_EQ(server.latest().target, "/v1/instances/i/events");
    EXPECT_EQ(server.latest().header("accept"), "text/event-stream");
    EXPECT_EQ(server.latest().header("last-event-id"), "");
    EXPECT_TRUE(client.healthz()) << "the connection is of use again";
    EXPECT_EQ(server.connections(), 1);
}

TEST(WatchInstance, GoesOnAfterAnEventAndEndsWhenTheCallbackHasEnough) {
    const ScriptedServer server([](const Received&) { return chunked(kEvents, false); });
    Client client({.server = server.url()});
    int count = 0;
    EXPECT_TRUE(client.watch_instance({.instance_id = "i", .last_event_id = "6"},
                                      [&](const InstanceEvent&) { return ++count < 2; }));
    EXPECT_EQ(count, 2);
    EXPECT_EQ(server.latest().header("last-event-id"), "6");
}

TEST(WatchInstance, TellsABrokenStreamFromItsEnd) {
    const ScriptedServer server([](const Received&) { return chunked(kEvents, false); });
    Client client({.server = server.url()});
    const Status status =
        client.watch_instance({.instance_id = "i"}, [](const InstanceEvent&) { return true; });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "connection-lost");
    EXPECT_TRUE(is_transient(status.error()));
}

TEST(WatchInstance, TellsAServerThatStopsFromAnInstanceThatIsOver) {
    const ScriptedServer server([](const Received&) { return chunked({kEvents[0], kEvents[2]}); });
    Client client({.server = server.url()});
    const Status status =
        client.watch_instance({.instance_id = "i"}, [](const InstanceEvent&) { return true; });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "connection-lost");
    EXPECT_TRUE(is_transient(status.error()));
}

TEST(WatchInstance, KeepsItsPlaceAtAnEventWithoutOne) {
    const ScriptedServer server([](const Received&) {
        return chunked({"event: instance\ndata: {\"status\":\"FAILED\"}\n\n"});
    });
    Client client({.server = server.url()});
    std::string place;
    EXPECT_TRUE(client.watch_instance({.instance_id = "i", .last_event_id = "6"},
                                      [&](const InstanceEvent& event) {
                                          place = event.id;
                                          return true;
                                      }));
    EXPECT_EQ(place, "6");
}

TEST(WatchInstance, TellsARefusal) {
    const ScriptedServer server(
        [](const Received&) { return json_answer(404, R"({"error":"not-found","message":"m"})"); });
    Client client({.server = server.url()});
    const Status status = client.watch_instance({.instance_id = "i"}, [](const InstanceEvent&) {
        ADD_FAILURE() << "there is no event";
        return true;
    });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "not-found");
    EXPECT_EQ(status.error().message, "m");
}

TEST(WatchInstance, RefusesWhatIsNoEvent) {
    const ScriptedServer server([](const Received&) { return chunked({"data: {\n\n"}); });
    Client client({.server = server.url()});
    const Status status =
        client.watch_instance({.instance_id = "i"}, [](const InstanceEvent&) { return true; });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "bad-reply");
}

TEST(WatchInstance, SilenceEndsInATimeout) {
    const ScriptedServer server([](const Received&) {
        return Answer{.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"};
    });
    Client client({.server = server.url(), .request_duration_max = 50ms});
    const Status status =
        client.watch_instance({.instance_id = "i"}, [](const InstanceEvent&) { return true; });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "timeout");
}

TEST(DownloadBackup, HandsOnTheBytesHoweverMany) {
    const std::string bytes(3'000'000, '\x01');
    const ScriptedServer server([&](const Received&) { return json_answer(200, bytes); });
    Client client({.server = server.url(), .reply_bytes_max = 1000});
    std::string taken;
    std::size_t pieces = 0;
    const Status status = client.download_backup([&](std::string_view piece) {
        taken += piece;
        ++pieces;
        return true;
    });
    EXPECT_TRUE(status);
    EXPECT_EQ(taken, bytes);
    EXPECT_GT(pieces, 10u);
    EXPECT_EQ(server.latest().method, "POST");
    EXPECT_EQ(server.latest().target, "/v1/backup");
}

TEST(DownloadBackup, FailsWhenItIsCutOff) {
    const ScriptedServer server([](const Received&) {
        return Answer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
                      .close_after = true};
    });
    Client client({.server = server.url()});
    EXPECT_FALSE(client.download_backup([](std::string_view) { return true; }));
}

TEST(DownloadBackup, HandsOnNothingOfARefusal) {
    const ScriptedServer server([](const Received&) {
        return json_answer(409, R"({"error":"conflict","message":"use pg_dump"})");
    });
    Client client({.server = server.url()});
    const Status status = client.download_backup([](std::string_view) {
        ADD_FAILURE() << "this is no backup";
        return true;
    });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "use pg_dump");
}

}  // namespace
}  // namespace millrace::client

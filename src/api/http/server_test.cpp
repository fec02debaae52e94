#include "api/http/server.hpp"

#include <gtest/gtest.h>

#include <future>

#include "support/http_test_server.hpp"
#include "support/raw_http_client.hpp"

namespace millrace::http {
namespace {

using namespace std::chrono_literals;

std::string get(std::string_view path, std::string_view fields = "Host: localhost\r\n") {
    return "GET " + std::string(path) + " HTTP/1.1\r\n" + std::string(fields) + "\r\n";
}

class ServerTest : public testing::Test {
protected:
    ServerTest() {
        server_.router().add(
            "GET", "/hello", Access::open,
            [](const HttpRequest&, const Responder& respond) { respond({.body = "{}\n"}); });
        server_.router().add(
            "POST", "/hello", Access::open,
            [](const HttpRequest&, const Responder& respond) { respond({.status = 204}); });
        server_.router().add(
            "GET", "/parked", Access::open,
            [this](const HttpRequest&, const Responder& respond) { parked_.set_value(respond); });
    }

    RawResponse ask(std::string_view request) {
        RawHttpClient client(server_.port());
        return client.exchange(request);
    }

    HttpTestServer server_;
    std::promise<Responder> parked_;
};

TEST_F(ServerTest, AnswersUnknownPathsAndMethodsAsClientsExpect) {
    server_.start();
    const RawResponse unknown = ask(get("/nothing"));
    EXPECT_EQ(unknown.status, 404);
    EXPECT_NE(unknown.body.find(R"({"error":"not-found","reason":"There is nothing at /nothing)"),
              std::string::npos)
        << unknown.body;
    EXPECT_NE(unknown.body.find("GET /openapi.json"), std::string::npos) << unknown.body;
    EXPECT_TRUE(unknown.has("Content-Type: application/json\r\n"));

    for (const char* method : {"OPTIONS", "DELETE", "BREW"}) {
        const RawResponse refused =
            ask(method + std::string(" /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        EXPECT_EQ(refused.status, 405) << method;
        EXPECT_TRUE(refused.body.starts_with(R"({"error":"method-not-allowed",)")) << refused.body;
        EXPECT_TRUE(refused.has("Allow: GET\r\nAllow: POST\r\n")) << refused.head;
    }
    RawHttpClient client(server_.port());
    client.send("HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(client.receive_head().status, 405);
    EXPECT_EQ(ask(get("/%zz")).status, 400);
}

TEST_F(ServerTest, KeepsSaneRequestIdsAndMakesOthers) {
    server_.start();
    EXPECT_TRUE(ask(get("/hello", "Host: localhost\r\nX-Request-Id: abc-1\r\n"))
                    .has("X-Request-Id: abc-1\r\n"));
    const RawResponse made = ask(get("/hello", "Host: localhost\r\nX-Request-Id: a b\"c\r\n"));
    EXPECT_TRUE(made.has("X-Request-Id: "));
    EXPECT_FALSE(made.has("a b"));
}

TEST_F(ServerTest, AnswersARealPreflightOfThisMachine) {
    server_.start();
    const RawResponse response =
        ask("OPTIONS /v1/definitions HTTP/1.1\r\nHost: localhost:8080\r\n"
            "Origin: http://localhost:5173\r\nAccess-Control-Request-Method: POST\r\n\r\n");
    EXPECT_EQ(response.status, 200);
    for (const char* field : {
             "Access-Control-Allow-Origin: http://localhost:5173\r\n",
             "Access-Control-Allow-Methods: GET, POST, PATCH, DELETE, OPTIONS\r\n",
             "Access-Control-Allow-Headers: Accept, Authorization, Content-Type",
             "Access-Control-Max-Age: 300\r\n",
             "Vary: Origin\r\n",
         }) {
        EXPECT_TRUE(response.has(field)) << field << response.head;
    }
}

TEST_F(ServerTest, ServesPagesOfThisMachineOnly) {
    server_.start();
    const RawResponse own =
        ask(get("/hello", "Host: localhost\r\nOrigin: http://127.0.0.1:4173\r\n"));
    EXPECT_EQ(own.status, 200);
    EXPECT_TRUE(own.has("Access-Control-Allow-Origin: http://127.0.0.1:4173\r\n"));

    for (const char* origin : {"https://example.com", "null", "http://localhost.example.com"}) {
        const RawResponse foreign =
            ask(get("/hello", "Host: localhost\r\nOrigin: " + std::string(origin) + "\r\n"));
        EXPECT_EQ(foreign.status, 403) << origin;
        EXPECT_FALSE(foreign.has("Access-Control-Allow-Origin"));
    }
}

TEST_F(ServerTest, RefusesNamesThatWerePointedAtThisMachine) {
    server_.start();
    EXPECT_EQ(ask(get("/hello", "Host: rebound.example.com:8080\r\n")).status, 403);
    EXPECT_EQ(ask(get("/hello", "Host: 127.0.0.1:8080\r\n")).status, 200);
    EXPECT_EQ(ask(get("/hello", "Host: [::1]:8080\r\n")).status, 200);
    for (const char* host : {"[::ffff:127.0.0.1]:8080", "0.0.0.0:8080", "[::1].example.com",
                             "localhost.example.com:8080", ""}) {
        EXPECT_EQ(ask(get("/hello", "Host: " + std::string(host) + "\r\n")).status, 403) << host;
    }
}

TEST_F(ServerTest, TakesTheServerThatATargetNamesForItsHost) {
    server_.start();
    struct Row {
        const char* head;
        int status;
    };
    for (const Row& row : {
             Row{"GET http://localhost:8080/hello HTTP/1.1\r\nHost: localhost:8080\r\n\r\n", 200},
             Row{"GET http://example.com/hello HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
             Row{"GET http://localhost/hello HTTP/1.1\r\nHost: example.com\r\n\r\n", 400},
             Row{"GET http://example.com/hello HTTP/1.1\r\nHost: example.com\r\n\r\n", 403},
             Row{"GET http://example.com/hello HTTP/1.0\r\n\r\n", 403},
             Row{"GET http://user@localhost/hello HTTP/1.0\r\n\r\n", 403},
             Row{"GET /hello HTTP/1.0\r\n\r\n", 200},  // No browser sends that.
             Row{"GET /hello HTTP/1.1\r\n\r\n", 400},
             Row{"GET /hello HTTP/1.1\r\nHost: localhost\r\nHost: example.com\r\n\r\n", 400},
         }) {
        RawHttpClient client(server_.port());
        EXPECT_EQ(client.exchange(row.head).status, row.status) << row.head;
    }
}

TEST_F(ServerTest, RefusesAPageWithTwoOrigins) {
    server_.start();
    const std::string two =
        "Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://example.com\r\n";
    EXPECT_EQ(ask(get("/hello", two)).status, 403);
}

TEST_F(ServerTest, AnswersToAnyNameWhenItIsNotForThisMachineAlone) {
    server_.start({}, {.is_loopback_only = false});
    EXPECT_EQ(ask(get("/hello", "Host: engine.example.com\r\n")).status, 200);
    const std::string page = "Host: engine.example.com\r\nOrigin: https://engine.example.com\r\n";
    EXPECT_EQ(ask(get("/hello", page)).status, 200);
}

TEST_F(ServerTest, CountsRequestsByRouteAndStatus) {
    server_.start();
    (void)ask(get("/hello"));
    (void)ask(get("/hello"));
    (void)ask(get("/nothing"));
    const std::string text = server_.metrics().text();
    for (const char* line : {
             R"(_count{method="GET",path="/hello",status="200"} 2)",
             R"(_count{method="any",path="unmatched",status="404"} 1)",
         }) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST_F(ServerTest, SpreadsConnectionsOverItsThreads) {
    server_.start({.thread_count = 3});
    std::vector<std::unique_ptr<RawHttpClient>> clients;
    for (int i = 0; i < 9; ++i) {
        clients.push_back(std::make_unique<RawHttpClient>(server_.port()));
        EXPECT_EQ(clients.back()->exchange(get("/hello")).status, 200);
    }
    for (const auto& client : clients) EXPECT_EQ(client->exchange(get("/hello")).status, 200);
}

TEST_F(ServerTest, ClosesConnectionsAboveItsLimit) {
    server_.start({.connections_max = 1});
    RawHttpClient first(server_.port());
    EXPECT_EQ(first.exchange(get("/hello")).status, 200);
    RawHttpClient second(server_.port());
    EXPECT_TRUE(second.is_at_end());
    EXPECT_EQ(first.exchange(get("/hello")).status, 200);
}

TEST_F(ServerTest, SaysThatAPortIsTaken) {
    server_.start();
    observe::Log log({.sink = [](std::string_view) {
    }});
    Server second(server_.service(), server_.metrics(), log,
                  {.addresses = {"127.0.0.1"}, .port = server_.port()});
    const Status status = second.start();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::unavailable);
    EXPECT_NE(status.error().detail.find(std::to_string(server_.port())), std::string::npos);
}

TEST_F(ServerTest, DrainsAfterTheLastAnswer) {
    // One loop: once the idle connection is closed, the busy one is known to be draining, too.
    server_.start({.thread_count = 1});
    RawHttpClient idle(server_.port());
    EXPECT_EQ(idle.exchange(get("/hello")).status, 200);
    RawHttpClient busy(server_.port());
    busy.send(get("/parked"));
    const Responder respond = parked_.get_future().get();

    auto drained = std::async(std::launch::async, [this] { return server_.server().drain(20s); });
    EXPECT_TRUE(idle.is_at_end());
    respond({.body = "done"});
    const RawResponse last = busy.receive();
    EXPECT_EQ(last.body, "done");
    EXPECT_TRUE(last.has("Connection: close\r\n"));
    EXPECT_TRUE(busy.is_at_end());
    busy.close();
    EXPECT_TRUE(drained.get());
    EXPECT_FALSE(RawHttpClient(server_.port()).is_connected());
}

TEST_F(ServerTest, StopsWaitingForAnAnswerThatDoesNotCome) {
    server_.start();
    RawHttpClient busy(server_.port());
    busy.send(get("/parked"));
    const Responder respond = parked_.get_future().get();
    EXPECT_FALSE(server_.server().drain(1ms));

    std::promise<void> gone;
    respond.on_client_gone([&gone] { gone.set_value(); });
    server_.stop();
    EXPECT_EQ(gone.get_future().wait_for(0s), std::future_status::ready);
    EXPECT_TRUE(busy.is_at_end());
    bool is_reported = false;
    respond({.body = "late", .on_undelivered = [&is_reported] {
                 is_reported = true;
             }});
    EXPECT_TRUE(is_reported);
}

TEST(AccessLogTest, TellsWhoAskedForWhatAndNothingPrivate) {
    HttpTestServer server(observe::LogLevel::debug);
    std::promise<HttpRequest> seen;
    server.router().add("POST", "/item/{id}", Access::open,
                        [&](HttpRequest request, const Responder& respond) {
                            seen.set_value(std::move(request));
                            respond({.status = 204});
                        },
                        {.query = {"token"}});
    server.start();
    RawHttpClient client(server.port());
    const RawResponse response = client.exchange(
        "POST /item/secret-id?token=secret-token HTTP/1.1\r\nHost: localhost\r\n"
        "X-Request-Id: r-1\r\nAuthorization: Bearer secret-key\r\nContent-Length: 11\r\n"
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n\r\n"
        "secret-body");
    EXPECT_EQ(response.status, 204);
    const HttpRequest request = seen.get_future().get();
    EXPECT_EQ(request.remote_address, "127.0.0.1");

    const auto lines = server.log_lines();
    const auto line = std::ranges::find_if(lines, [](const std::string& text) {
        return text.find("Answered a request.") != std::string::npos;
    });
    ASSERT_NE(line, lines.end());
    for (const char* field : {
             R"("requestId":"r-1")",
             R"("method":"POST")",
             R"("route":"/item/{id}")",
             R"("status":204)",
             R"("remoteAddress":"127.0.0.1")",
             R"("traceId":"0af7651916cd43dd8448eb211c80319c")",
         }) {
        EXPECT_NE(line->find(field), std::string::npos) << field << *line;
    }
    for (const std::string& text : lines) EXPECT_EQ(text.find("secret"), std::string::npos) << text;
}

TEST_F(ServerTest, HandsOnTheTraceOfItsClientOnlyWhenItIsValid) {
    server_.router().add(
        "GET", "/trace", Access::open, [](const HttpRequest&, const Responder& respond) {
            const TraceContext trace = respond.trace();
            respond({.content_type = kTextType,
                     .body = trace.is_present() ? trace_parent_text(trace) : "none"});
        });
    server_.start();
    const std::string sent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const std::string host = "Host: localhost\r\n";
    EXPECT_EQ(ask(get("/trace", host + "traceparent: " + sent + "\r\n")).body, sent);
    EXPECT_EQ(ask(get("/trace", host + "traceparent: nonsense\r\n")).body, "none");
    EXPECT_EQ(ask(get("/trace")).body, "none");
}

}  // namespace
}  // namespace millrace::http

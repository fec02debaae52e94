#include "api/http/session.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "support/http_test_server.hpp"
#include "support/raw_http_client.hpp"

namespace millrace::http {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 20s;

std::string get(std::string_view path) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

std::string post(std::string_view path, std::string_view body) {
    return "POST " + std::string(path) +
           " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + std::string(body);
}

class SessionTest : public testing::Test {
protected:
    SessionTest() {
        Router& router = server_.router();
        router.add("GET", "/hello", Access::open,
                   [](const HttpRequest&, const Responder& respond) { respond({.body = "{}\n"}); });
        router.add("POST", "/echo", Access::open,
                   [](HttpRequest request, const Responder& respond) {
                       respond({.content_type = kTextType, .body = std::move(request.body)});
                   });
        router.add("GET", "/item/{id}", Access::open,
                   [](const HttpRequest& request, const Responder& respond) {
                       respond({.content_type = kTextType, .body = request.path_parameter("id")});
                   });
        router.add(
            "GET", "/parked", Access::open,
            [this](const HttpRequest&, const Responder& respond) { parked_.set_value(respond); });
        router.add("GET", "/throws", Access::open, [](const HttpRequest&, const Responder&) {
            throw std::runtime_error("secret detail");
        });
        router.add("GET", "/forgets", Access::open, [](const HttpRequest&, const Responder&) {});
    }

    // The request that waits for its answer at /parked.
    Responder parked() {
        auto future = parked_.get_future();
        if (future.wait_for(kPatience) != std::future_status::ready) ADD_FAILURE() << "not parked";
        Responder respond = future.get();
        parked_ = {};
        return respond;
    }

    std::promise<Responder> parked_;
    HttpTestServer server_;
};

TEST_F(SessionTest, AnswersAndKeepsTheConnection) {
    server_.start();
    RawHttpClient client(server_.port());
    for (int i = 0; i < 3; ++i) {
        const RawResponse response = client.exchange(get("/hello"));
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.body, "{}\n");
        EXPECT_TRUE(response.has("Content-Type: application/json\r\n"));
    }
}

TEST_F(SessionTest, AnswersPipelinedRequestsInOrder) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/item/1") + "\r\n" + get("/parked") + get("/item/3") + get("/item/4"));
    EXPECT_EQ(client.receive().body, "1");
    parked()({.body = "2"});
    EXPECT_EQ(client.receive().body, "2");
    EXPECT_EQ(client.receive().body, "3");
    EXPECT_EQ(client.receive().body, "4");
}

TEST_F(SessionTest, ReadsRequestsThatComeByteByByte) {
    server_.start();
    RawHttpClient client(server_.port());
    for (const char byte : post("/echo", "slow") + get("/item/2")) client.send({&byte, 1});
    EXPECT_EQ(client.receive().body, "slow");
    EXPECT_EQ(client.receive().body, "2");
}

TEST_F(SessionTest, ReadsBigAndChunkedBodies) {
    server_.start();
    RawHttpClient client(server_.port());
    const std::string big(3'000'000, 'x');
    EXPECT_EQ(client.exchange(post("/echo", big)).body, big);
    const RawResponse response = client.exchange(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    EXPECT_EQ(response.body, "abcde");
}

TEST_F(SessionTest, AnswersJavaClientsThatOfferAnUpgrade) {
    server_.start();
    RawHttpClient client(server_.port());
    const RawResponse response = client.exchange(
        "POST /echo HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nContent-Length: 2\r\n"
        "Host: localhost\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n"
        "Upgrade: h2c\r\n\r\nhi");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "hi");
    EXPECT_EQ(client.exchange(get("/hello")).status, 200);
}

TEST_F(SessionTest, AsksForABodyThatWaitsForIt) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
        "Expect: 100-continue\r\n\r\n");
    EXPECT_EQ(client.receive().status, 100);
    EXPECT_EQ(client.exchange("ok").body, "ok");
}

TEST_F(SessionTest, RefusesWhatIsTooLargeAndCloses) {
    server_.start({.session = {.request = {.header_bytes_max = 512, .body_bytes_max = 100}}});
    struct Row {
        std::string text;
        int status;
    };
    const std::string big(100'000, 'x');
    for (const Row& row : {
             Row{post("/echo", big), 413},
             Row{"GET /hello HTTP/1.1\r\nHost: localhost\r\nX: " + big + "\r\n\r\n", 431},
             Row{"POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "1;" +
                     big,
                 431},
         }) {
        RawHttpClient client(server_.port());
        const RawResponse response = client.exchange(row.text);
        EXPECT_EQ(response.status, row.status);
        EXPECT_NE(response.body.find(R"("error":"too-large")"), std::string::npos);
        EXPECT_TRUE(response.has("Connection: close\r\n"));
        client.shut_down_sending();
        EXPECT_TRUE(client.is_at_end());
    }
}

TEST_F(SessionTest, AnswersBadRequestsInTheShapeOfErrors) {
    server_.start();
    RawHttpClient client(server_.port());
    const RawResponse response = client.exchange("nonsense\r\n\r\n");
    EXPECT_EQ(response.status, 400);
    EXPECT_NE(response.body.find(R"({"error":"bad-request","reason":")"), std::string::npos);
    client.shut_down_sending();
    EXPECT_TRUE(client.is_at_end());
}

TEST_F(SessionTest, ClosesWhenAskedTo) {
    server_.start();
    RawHttpClient client(server_.port());
    const RawResponse response =
        client.exchange("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(response.has("Connection: close\r\n"));
    EXPECT_TRUE(client.is_at_end());
}

TEST_F(SessionTest, AnswersAClientThatOnlyStopsSending) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/item/1") + get("/item/2"));
    client.shut_down_sending();
    EXPECT_EQ(client.receive().body, "1");
    EXPECT_EQ(client.receive().body, "2");
    EXPECT_TRUE(client.is_at_end());
}

TEST_F(SessionTest, CutsOffASlowSender) {
    server_.start({.session = {.read_timeout = 30ms}});
    RawHttpClient client(server_.port());
    const RawResponse response = client.exchange("GET /hello HT");
    EXPECT_EQ(response.status, 408);
    client.shut_down_sending();
    EXPECT_TRUE(client.is_at_end());
}

TEST_F(SessionTest, CutsOffASenderThatDrips) {
    server_.start({.session = {.read_timeout = 100ms}});
    RawHttpClient client(server_.port());
    client.send("GET /hello HTTP/1.1\r\nX: ");
    while (!client.can_read_within(1ms)) client.send("x");
    EXPECT_EQ(client.receive().status, 408);
}

TEST_F(SessionTest, ClosesIdleConnectionsAndKeepsParkedOnes) {
    server_.start({.session = {.idle_timeout = 30ms}});
    RawHttpClient parked_client(server_.port());
    parked_client.send(get("/parked"));
    const Responder respond = parked();
    RawHttpClient idle(server_.port());
    EXPECT_EQ(idle.exchange(get("/hello")).status, 200);
    EXPECT_TRUE(idle.is_at_end());
    respond({.body = "late"});
    EXPECT_EQ(parked_client.receive().body, "late");
}

TEST_F(SessionTest, TellsAParkedRequestThatItsClientIsGone) {
    server_.start();
    for (const bool is_reset : {false, true}) {
        RawHttpClient client(server_.port());
        client.send(get("/parked"));
        const Responder respond = parked();
        std::promise<void> gone;
        respond.on_client_gone([&gone] { gone.set_value(); });
        is_reset ? client.abort() : client.close();
        EXPECT_EQ(gone.get_future().wait_for(kPatience), std::future_status::ready) << is_reset;

        std::promise<void> late_hook;
        respond.on_client_gone([&late_hook] { late_hook.set_value(); });
        EXPECT_EQ(late_hook.get_future().wait_for(0s), std::future_status::ready);

        std::promise<void> undelivered;
        respond({.body = "jobs", .on_undelivered = [&undelivered] {
                     undelivered.set_value();
                 }});
        EXPECT_EQ(undelivered.get_future().wait_for(kPatience), std::future_status::ready);
    }
}

// The loop is busy while the client leaves: it has not read of that when there is an answer.
TEST_F(SessionTest, AnswersNobodyWhoLeftUnseen) {
    std::promise<void> entered;
    std::promise<void> left;
    std::promise<void> undelivered;
    server_.router().add("GET", "/slow", Access::open,
                         [&](const HttpRequest&, const Responder& respond) {
                             entered.set_value();
                             left.get_future().wait();
                             respond({.body = "jobs", .on_undelivered = [&undelivered] {
                                          undelivered.set_value();
                                      }});
                         });
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/slow"));
    entered.get_future().wait();
    client.close();
    left.set_value();
    EXPECT_EQ(undelivered.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST_F(SessionTest, NoticesTheEndBehindPipelinedRequests) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/parked") + get("/item/2"));
    const Responder respond = parked();
    std::promise<void> gone;
    respond.on_client_gone([&gone] { gone.set_value(); });
    client.close();
    EXPECT_EQ(gone.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST_F(SessionTest, ReportsAnAnswerThatTheClientStopsReading) {
    server_.start({.session = {.write_timeout = 30ms}});
    RawHttpClient client(server_.port(), 4096);
    client.send(get("/parked"));
    std::promise<void> undelivered;
    parked()({.body = std::string(20'000'000, 'x'), .on_undelivered = [&undelivered] {
                  undelivered.set_value();
              }});
    EXPECT_EQ(undelivered.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST_F(SessionTest, DeliversABigAnswerToASlowReader) {
    server_.start();
    RawHttpClient client(server_.port(), 4096);
    client.send(get("/parked") + get("/item/2"));
    const std::string big(5'000'000, 'x');
    parked()({.body = big, .on_undelivered = [] {
                  ADD_FAILURE() << "it was delivered";
              }});
    EXPECT_EQ(client.receive().body, big);
    EXPECT_EQ(client.receive().body, "2");
}

// What the kernel takes of the answers is some megabytes; 1,300 of them would be 80.
TEST_F(SessionTest, AnswersNobodyFurtherWhoDoesNotRead) {
    constexpr int kRequests = 1'300;
    const std::string large(60u << 10, 'x');
    std::atomic<int> answered = 0;
    server_.router().add("GET", "/large", Access::open,
                         [&](const HttpRequest&, const Responder& respond) {
                             answered += 1;
                             respond({.content_type = kTextType, .body = large});
                         });
    server_.start();
    RawHttpClient client(server_.port(), 4096);
    std::string requests;
    for (int i = 0; i < kRequests; ++i) requests += get("/large");
    client.send(requests);
    // Of the same loop, so that what came before is done when these are.
    RawHttpClient other(server_.port());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(other.exchange(get("/hello")).status, 200);
    EXPECT_LT(answered, kRequests / 4);

    for (int i = 0; i < kRequests; ++i) ASSERT_EQ(client.receive().body.size(), large.size()) << i;
    EXPECT_EQ(answered, kRequests);
}

TEST_F(SessionTest, DropsASecondAnswer) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/parked"));
    const Responder respond = parked();
    respond({.body = "1"});
    bool is_reported = false;
    respond({.body = "2", .on_undelivered = [&is_reported] {
                 is_reported = true;
             }});
    EXPECT_TRUE(is_reported);
    EXPECT_EQ(client.receive().body, "1");
    EXPECT_EQ(client.exchange(get("/item/3")).body, "3");
}

TEST_F(SessionTest, AnswersForHandlersThatThrowOrForget) {
    server_.start();
    RawHttpClient client(server_.port());
    const RawResponse thrown =
        client.exchange("GET /throws HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: my-id.7\r\n\r\n");
    EXPECT_EQ(thrown.status, 500);
    EXPECT_NE(thrown.body.find(R"("requestId":"my-id.7")"), std::string::npos);
    EXPECT_EQ(thrown.body.find("secret detail"), std::string::npos);
    EXPECT_EQ(client.exchange(get("/forgets")).status, 500);

    const auto lines = server_.log_lines();
    const auto is_about_it = [](const std::string& line) {
        return line.find("secret detail") != std::string::npos &&
               line.find("my-id.7") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(lines, is_about_it));
}

}  // namespace
}  // namespace millrace::http

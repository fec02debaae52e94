#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "core/access/principal.hpp"
#include "support/http_test_server.hpp"
#include "support/raw_http_client.hpp"

namespace millrace::http {
namespace {

constexpr std::size_t kLarge = 1u << 20;

std::string head_of(std::string_view path, std::string_view fields) {
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(fields) +
           "\r\n";
}

std::string with_length(std::size_t bytes, std::string_view more = {}) {
    return "Content-Length: " + std::to_string(bytes) + "\r\n" + std::string(more);
}

// Knows a key by its name, and answers at once or from another thread.
class NameGate final : public Gate {
public:
    explicit NameGate(bool is_late) : is_late_(is_late) {}

    void admit(HttpRequest request, Access, const Responder& respond, Pass pass) override {
        asked += 1;
        body_bytes_seen = std::max(body_bytes_seen.load(), request.body.size());
        auto judge = [request = std::move(request), respond, pass = std::move(pass)]() mutable {
            const auto name = request.headers.find("Authorization");
            if (!name) {
                const Error error{ErrorCode::unauthenticated, "Who are you?"};
                return respond(error_response(error, respond.request_id()));
            }
            request.principal =
                std::make_shared<const Principal>(Principal{.key_id = std::string(*name)});
            pass(std::move(request));
        };
        if (!is_late_) return judge();
        late_.push_back(std::async(std::launch::async, std::move(judge)));
    }

    std::atomic<int> asked = 0;
    std::atomic<std::size_t> body_bytes_seen = 0;

private:
    static HttpResponse error_response(const Error& error, const std::string& request_id) {
        return {.status = 401, .body = error.detail + " " + request_id};
    }

    const bool is_late_;
    std::vector<std::future<void>> late_;
};

class AdmitBodyTest : public testing::TestWithParam<bool> {
protected:
    AdmitBodyTest() {
        Router& router = server_.router();
        router.add("POST", "/closed", Access::work,
                   [](const HttpRequest& request, const Responder& respond) {
                       respond({.body = std::to_string(request.body.size())});
                   });
        router.add(
            "POST", "/parked", Access::work,
            [this](const HttpRequest&, const Responder& respond) { parked_.set_value(respond); });
        router.add("GET", "/open", Access::open,
                   [](const HttpRequest&, const Responder& respond) { respond({.body = "{}"}); });
    }
    ~AdmitBodyTest() override { server_.stop(); }

    void start(std::size_t bodies_bytes_max = limits::kBodiesBytesMax) {
        server_.start({}, {.gate = &gate_, .bodies_bytes_max = bodies_bytes_max});
    }
    const BodyBudget& bodies() { return *server_.service().bodies(); }

    NameGate gate_{GetParam()};
    std::promise<Responder> parked_;
    HttpTestServer server_;
};

INSTANTIATE_TEST_SUITE_P(, AdmitBodyTest, testing::Bool(),
                         [](const auto& param) { return param.param ? "Later" : "AtOnce"; });

TEST_P(AdmitBodyTest, StrangersAreRefusedBeforeTheirBodyComes) {
    start();
    for (const std::string& fields :
         {with_length(kLarge), with_length(2, "Expect: 100-continue\r\n"),
          std::string("Transfer-Encoding: chunked\r\n")}) {
        RawHttpClient client(server_.port());
        client.send(head_of("/closed", fields));
        const RawResponse response = client.receive();
        EXPECT_EQ(response.status, 401) << fields;
        EXPECT_TRUE(response.has("Connection: close\r\n"));
        client.send(std::string(kLarge, 'x'));  // Some look for the answer only now.
        client.shut_down_sending();
        EXPECT_TRUE(client.is_at_end());
    }
    EXPECT_EQ(bodies().bytes_taken(), 0u);
}

TEST_P(AdmitBodyTest, SmallBodiesOfStrangersCostThemNoConnection) {
    start();
    RawHttpClient client(server_.port());
    client.send(head_of("/closed", with_length(2)));
    EXPECT_FALSE(client.can_read_within(std::chrono::milliseconds(1)));
    client.send("{}");
    const RawResponse response = client.receive();
    EXPECT_EQ(response.status, 401);
    EXPECT_FALSE(response.has("Connection: close\r\n"));
    EXPECT_EQ(client.exchange("GET /open HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
}

TEST_P(AdmitBodyTest, WhereNobodyIsAskedNoLargeBodyIsTaken) {
    start();
    struct Row {
        const char* head;
        int status;
    };
    for (const Row& row : {Row{"GET /open", 413}, Row{"POST /open", 405}, Row{"POST /no", 404}}) {
        RawHttpClient client(server_.port());
        client.send(std::string(row.head) + " HTTP/1.1\r\nHost: localhost\r\n" +
                    with_length(kLarge) + "\r\n");
        EXPECT_EQ(client.receive().status, row.status) << row.head;
    }
}

TEST_P(AdmitBodyTest, WhoIsKnownMaySendABody) {
    start();
    const std::string key = "Authorization: a\r\n";
    RawHttpClient client(server_.port());
    client.send(head_of("/closed", with_length(kLarge, key)) + std::string(kLarge, 'x'));
    EXPECT_EQ(client.receive().body, std::to_string(kLarge));
    client.send(head_of("/closed", with_length(kLarge, key + "Expect: 100-continue\r\n")));
    EXPECT_EQ(client.receive_head().status, 100);
    client.send(std::string(kLarge, 'x'));
    EXPECT_EQ(client.receive().body, std::to_string(kLarge));
    client.send(head_of("/closed", key + "Transfer-Encoding: chunked\r\n"));
    client.send("100000\r\n" + std::string(kLarge, 'x') + "\r\n0\r\n\r\n");
    EXPECT_EQ(client.receive().body, std::to_string(kLarge));
    // Each is asked for again when it is all there: its key may have gone meanwhile.
    EXPECT_EQ(gate_.asked, 6);
    EXPECT_EQ(bodies().bytes_taken(), 0u);
}

TEST_P(AdmitBodyTest, OneClientCannotTakeAllTheRoom) {
    start(8 * kLarge);
    const std::string body = "Content-Length: " + std::to_string(3 * kLarge) + "\r\n";
    RawHttpClient greedy(server_.port());
    greedy.send(head_of("/parked", body + "Authorization: a\r\n") + std::string(3 * kLarge, 'x'));
    const Responder respond = parked_.get_future().get();
    EXPECT_EQ(bodies().bytes_taken(), 3 * kLarge) << "It is worked on.";

    RawHttpClient again(server_.port());
    again.send(head_of("/closed", body + "Authorization: a\r\nExpect: 100-continue\r\n"));
    const RawResponse refused = again.receive();
    EXPECT_EQ(refused.status, 503);
    EXPECT_TRUE(refused.has("Retry-After: 1\r\n"));
    EXPECT_NE(refused.body.find(R"("error":"unavailable")"), std::string::npos);

    RawHttpClient other(server_.port());
    other.send(head_of("/closed", body + "Authorization: b\r\n") + std::string(3 * kLarge, 'x'));
    EXPECT_EQ(other.receive().status, 200);
    respond({.body = "done"});
    EXPECT_EQ(greedy.receive().body, "done");
}

TEST_P(AdmitBodyTest, ABodyInChunksTakesRoomAsItComes) {
    start(4 * kLarge);
    RawHttpClient client(server_.port());
    client.send(head_of("/closed", "Authorization: a\r\nTransfer-Encoding: chunked\r\n"));
    for (int i = 0; i < 4 && !client.can_read_within(std::chrono::milliseconds(0)); ++i) {
        client.send("100000\r\n" + std::string(kLarge, 'x') + "\r\n");
    }
    EXPECT_EQ(client.receive().status, 503);
    client.shut_down_sending();
    EXPECT_TRUE(client.is_at_end());
    EXPECT_EQ(bodies().bytes_taken(), 0u);
}

TEST_P(AdmitBodyTest, WhoLeavesGivesNoRoomBackThatIsStillInUse) {
    start();
    auto client = std::make_unique<RawHttpClient>(server_.port());
    client->send(head_of("/parked", with_length(kLarge, "Authorization: a\r\n")) +
                 std::string(kLarge, 'x'));
    auto respond = std::make_optional(parked_.get_future().get());
    std::promise<void> gone;
    respond->on_client_gone([&gone] { gone.set_value(); });
    client.reset();
    gone.get_future().wait();
    EXPECT_EQ(bodies().bytes_taken(), kLarge);
    parked_ = {};
    (*respond)({.body = "late"});
    respond.reset();
    EXPECT_EQ(bodies().bytes_taken(), 0u);
}

}  // namespace
}  // namespace millrace::http

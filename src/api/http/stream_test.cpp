#include <gtest/gtest.h>

#include <future>

#include "core/limits.hpp"
#include "support/http_test_server.hpp"
#include "support/raw_http_client.hpp"

namespace millrace::http {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 20s;
const HttpResponse kHead{.content_type = kTextType};

std::string get(std::string_view path, std::string_view version = "1.1") {
    return "GET " + std::string(path) + " HTTP/" + std::string(version) +
           "\r\nHost: localhost\r\n\r\n";
}

// Answers with pieces of one size, each when the one before is gone, as a sender of files does.
class PieceSender : public std::enable_shared_from_this<PieceSender> {
public:
    PieceSender(ResponseStream stream, std::size_t pieces) : stream_(stream), pieces_(pieces) {}

    void send_next() {
        buffered_max_ = std::max(buffered_max_, stream_.buffered());
        if (pieces_ == 0) return stream_.end();
        --pieces_;
        stream_.write(std::string(kPieceBytes, 'x'));
        stream_.on_drained([self = shared_from_this()] { self->send_next(); });
    }
    std::size_t buffered_max() const { return buffered_max_; }

    static constexpr std::size_t kPieceBytes = 100'000;

private:
    ResponseStream stream_;
    std::size_t pieces_;
    std::size_t buffered_max_ = 0;
};

class StreamTest : public testing::Test {
protected:
    StreamTest() {
        Router& router = server_.router();
        router.add(
            "GET", "/parked", Access::open,
            [this](const HttpRequest&, const Responder& respond) { parked_.set_value(respond); });
        router.add("GET", "/at-once", Access::open,
                   [](const HttpRequest&, const Responder& respond) {
                       const ResponseStream stream = respond.stream(kHead, StreamKind::whole);
                       stream.write("one");
                       stream.write(" two");
                       stream.end();
                   });
        router.add("GET", "/dropped", Access::open,
                   [](const HttpRequest&, const Responder& respond) {
                       respond.stream(kHead, StreamKind::whole).write("a part");
                   });
        router.add("GET", "/hello", Access::open,
                   [](const HttpRequest&, const Responder& respond) { respond({.body = "{}\n"}); });
    }

    Responder parked() {
        auto future = parked_.get_future();
        if (future.wait_for(kPatience) != std::future_status::ready) ADD_FAILURE() << "not parked";
        Responder respond = future.get();
        parked_ = {};
        return respond;
    }

    // A stream that the client of a new request reads.
    ResponseStream open(RawHttpClient& client, StreamKind kind) {
        client.send(get("/parked"));
        return parked().stream(kHead, kind);
    }

    HttpTestServer server_;
    std::promise<Responder> parked_;
};

// Becomes true, once, when its hook is called.
class Called {
public:
    std::function<void()> hook() {
        return [promise = promise_] {
            promise->set_value();
        };
    }
    bool is_so() { return future_.wait_for(kPatience) == std::future_status::ready; }
    bool is_so_already() { return future_.wait_for(0s) == std::future_status::ready; }

private:
    std::shared_ptr<std::promise<void>> promise_ = std::make_shared<std::promise<void>>();
    std::future<void> future_ = promise_->get_future();
};

TEST_F(StreamTest, SendsPiecesAsTheyComeAndKeepsTheConnection) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/parked") + get("/at-once") + get("/hello"));
    const ResponseStream stream = parked().stream(kHead, StreamKind::whole);
    const RawResponse head = client.receive_head();
    EXPECT_EQ(head.status, 200);
    EXPECT_TRUE(head.has("Transfer-Encoding: chunked\r\n")) << head.head;
    EXPECT_FALSE(head.has("Content-Length")) << head.head;
    for (const char* piece : {"first", "second"}) {
        EXPECT_TRUE(stream.write(piece));
        EXPECT_EQ(client.receive_chunk(), piece);
    }
    stream.end();
    EXPECT_FALSE(stream.is_open());
    EXPECT_FALSE(stream.write("late"));
    EXPECT_EQ(client.receive_chunk(), "");

    (void)client.receive_head();
    EXPECT_EQ(client.receive_chunks(), "one two");
    EXPECT_EQ(client.receive().body, "{}\n");
}

TEST_F(StreamTest, SendsTheBodyOfTheHeadFirst) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/parked"));
    HttpResponse head = kHead;
    head.body = "first";
    const ResponseStream stream = parked().stream(head, StreamKind::whole);
    (void)client.receive_head();
    EXPECT_EQ(client.receive_chunk(), "first");
    stream.end();
    EXPECT_EQ(client.receive_chunks(), "");
}

TEST_F(StreamTest, EndsWithTheConnectionForOldClients) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/at-once", "1.0"));
    const RawResponse head = client.receive_head();
    EXPECT_FALSE(head.has("Transfer-Encoding")) << head.head;
    EXPECT_TRUE(head.has("Connection: close\r\n")) << head.head;
    EXPECT_EQ(client.receive_rest(), "one two");
}

TEST_F(StreamTest, IsOverFromTheStartAsASecondAnswer) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/parked"));
    const Responder respond = parked();
    respond({.body = "1"});
    const ResponseStream stream = respond.stream(kHead, StreamKind::whole);
    EXPECT_FALSE(stream.is_open());
    EXPECT_FALSE(stream.write("2"));
    Called drained;
    stream.on_drained(drained.hook());
    EXPECT_TRUE(drained.is_so());
    EXPECT_EQ(client.receive().body, "1");
    EXPECT_EQ(client.exchange(get("/hello")).status, 200);
}

TEST_F(StreamTest, CutsTheClientOffWhenItsSenderForgetsTheEnd) {
    server_.start();
    RawHttpClient client(server_.port());
    client.send(get("/dropped"));
    EXPECT_EQ(client.receive_rest().find("\r\n0\r\n\r\n"), std::string::npos);
    EXPECT_TRUE(client.is_at_end());
}

TEST_F(StreamTest, NeverHoldsMoreThanAPieceOfABigFile) {
    server_.start();
    RawHttpClient client(server_.port(), 4096);
    const auto sender =
        std::make_shared<PieceSender>(open(client, StreamKind::whole), std::size_t{100});
    sender->send_next();
    (void)client.receive_head();
    EXPECT_EQ(client.receive_chunks().size(), 100 * PieceSender::kPieceBytes);
    EXPECT_LE(sender->buffered_max(), PieceSender::kPieceBytes);
    EXPECT_EQ(client.exchange(get("/hello")).status, 200);
}

TEST_F(StreamTest, TellsWhenTheClientIsGone) {
    server_.start();
    for (const StreamKind kind : {StreamKind::whole, StreamKind::endless}) {
        RawHttpClient client(server_.port());
        const ResponseStream stream = open(client, kind);
        Called closed;
        stream.on_closed(closed.hook());
        (void)client.receive_head();
        client.abort();
        EXPECT_TRUE(closed.is_so());
        EXPECT_FALSE(stream.is_open());
        EXPECT_FALSE(stream.write("to nobody"));
        Called late;
        stream.on_closed(late.hook());
        EXPECT_TRUE(late.is_so_already());
        Called drained;
        stream.on_drained(drained.hook());
        EXPECT_TRUE(drained.is_so()) << "A sender that waits must not wait for ever.";
    }
}

TEST_F(StreamTest, EndsWhatIsEndlessWhenTheClientClosesItsSide) {
    server_.start();
    RawHttpClient client(server_.port());
    const ResponseStream stream = open(client, StreamKind::endless);
    Called closed;
    stream.on_closed(closed.hook());
    (void)client.receive_head();
    client.shut_down_sending();
    EXPECT_TRUE(closed.is_so());
    EXPECT_EQ(client.receive_chunks(), "");
    EXPECT_TRUE(client.is_at_end());
}

TEST_F(StreamTest, SendsTheWholeToAClientThatOnlyStopsSending) {
    server_.start();
    RawHttpClient client(server_.port());
    const ResponseStream stream = open(client, StreamKind::whole);
    (void)client.receive_head();
    client.shut_down_sending();
    EXPECT_TRUE(stream.write("all of it"));
    stream.end();
    EXPECT_EQ(client.receive_chunks(), "all of it");
    EXPECT_TRUE(client.is_at_end());
}

TEST_F(StreamTest, CutsOffAReaderThatIsTooFarBehind) {
    server_.start();
    RawHttpClient client(server_.port(), 4096);
    const ResponseStream stream = open(client, StreamKind::endless);
    Called closed;
    stream.on_closed(closed.hook());
    const std::string event(10'000, 'e');
    std::size_t buffered_max = 0;
    while (stream.write(event)) buffered_max = std::max(buffered_max, stream.buffered());
    EXPECT_LE(buffered_max, limits::kStreamBytesBehindMax + event.size());
    EXPECT_TRUE(closed.is_so());
}

TEST_F(StreamTest, CutsOffAReaderThatStopsEvenIfItSendsOn) {
    server_.start({.session = {.write_timeout = 50ms}});
    RawHttpClient client(server_.port(), 4096);
    const ResponseStream stream = open(client, StreamKind::whole);
    Called closed;
    stream.on_closed(closed.hook());
    stream.write(std::string(20'000'000, 'x'));
    while (!closed.is_so_already()) client.send("x");
    EXPECT_FALSE(stream.is_open());
}

TEST_F(StreamTest, IsUnderNoDeadlineWhileNothingIsStuck) {
    server_.start({.session = {.read_timeout = 20ms, .write_timeout = 20ms, .idle_timeout = 20ms}});
    RawHttpClient client(server_.port());
    const ResponseStream stream = open(client, StreamKind::endless);
    (void)client.receive_head();
    RawHttpClient idle(server_.port());
    EXPECT_TRUE(idle.is_at_end()) << "The deadlines have passed.";
    stream.write("still there");
    EXPECT_EQ(client.receive_chunk(), "still there");
}

TEST_F(StreamTest, DrainEndsEndlessStreamsAndWaitsForWholeOnes) {
    server_.start();
    RawHttpClient endless_client(server_.port());
    const ResponseStream endless = open(endless_client, StreamKind::endless);
    endless.write("last words");
    Called closed;
    endless.on_closed(closed.hook());
    RawHttpClient whole_client(server_.port());
    const ResponseStream whole = open(whole_client, StreamKind::whole);
    whole.write("half");

    auto drained = std::async(std::launch::async, [this] { return server_.server().drain(20s); });
    EXPECT_TRUE(closed.is_so());
    (void)endless_client.receive_head();
    EXPECT_EQ(endless_client.receive_chunks(), "last words");
    endless_client.close();

    EXPECT_TRUE(whole.write(" and half"));
    whole.end();
    (void)whole_client.receive_head();
    EXPECT_EQ(whole_client.receive_chunks(), "half and half");
    EXPECT_TRUE(whole_client.is_at_end()) << "A draining server keeps no connection.";
    whole_client.close();
    EXPECT_TRUE(drained.get());
}

TEST_F(StreamTest, TheEndOfTheServerClosesStreams) {
    server_.start();
    RawHttpClient client(server_.port());
    const ResponseStream stream = open(client, StreamKind::whole);
    Called closed;
    stream.on_closed(closed.hook());
    server_.stop();
    EXPECT_TRUE(closed.is_so());
    EXPECT_FALSE(stream.write("to nobody"));
}

}  // namespace
}  // namespace millrace::http

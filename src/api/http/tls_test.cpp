#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "support/fake_clock.hpp"
#include "support/http_test_server.hpp"
#include "support/tls_client.hpp"
#include "support/tls_files.hpp"

namespace millrace::http {
namespace {

using namespace std::chrono_literals;

const std::string kGet = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string post(std::string_view body) {
    return "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

class TlsTest : public testing::Test {
protected:
    TlsTest() {
        Router& router = server_.router();
        router.add("GET", "/hello", Access::open,
                   [](const HttpRequest&, const Responder& respond) { respond({.body = "{}\n"}); });
        router.add("POST", "/echo", Access::open,
                   [](HttpRequest request, const Responder& respond) {
                       respond({.content_type = kTextType, .body = std::move(request.body)});
                   });
    }

    TlsConfig files() const {
        return {.certificate_file = files_.certificate_file(),
                .key_file = files_.key_file(),
                .check_interval = Duration::zero()};
    }
    void start(SessionLimits session = {}) { server_.start({.session = session, .tls = files()}); }
    long serial_of_new_connection() {
        const TlsClient client(server_.port());
        return client.is_connected() ? client.certificate_serial() : 0;
    }
    bool has_logged(std::string_view text) {
        return std::ranges::any_of(server_.log_lines(), [&](const std::string& line) {
            return line.find(text) != std::string::npos;
        });
    }

    TlsFiles files_;
    HttpTestServer server_;
};

TEST_F(TlsTest, ServesTheVersionsThatAreSafe) {
    start();
    struct Row {
        int version;
        std::string_view name;
    };
    for (const Row& row : {Row{TLS1_2_VERSION, "TLSv1.2"}, Row{TLS1_3_VERSION, "TLSv1.3"}}) {
        TlsClient client(server_.port(), {.version_min = row.version, .version_max = row.version});
        ASSERT_TRUE(client.is_connected()) << row.name;
        EXPECT_EQ(client.version(), row.name);
        EXPECT_EQ(client.protocol(), "http/1.1");
        for (int i = 0; i < 3; ++i) EXPECT_EQ(client.exchange(kGet).body, "{}\n");
        EXPECT_EQ(client.exchange(post("body")).body, "body");
    }
}

TEST_F(TlsTest, RefusesOthersAndServesOn) {
    start();
    struct Row {
        TlsOffer offer;
        bool is_served;
    };
    for (const Row& row : {
             Row{{.version_min = TLS1_VERSION, .version_max = TLS1_1_VERSION}, false},
             Row{{.version_min = TLS1_1_VERSION}, true},
             Row{{.protocols = "\x02h2"}, false},
             Row{{.protocols = "\x02h2\x08http/1.1"}, true},
             Row{{.protocols = ""}, true},
         }) {
        const TlsClient client(server_.port(), row.offer);
        EXPECT_EQ(client.is_connected(), row.is_served) << row.offer.protocols;
    }
}

TEST_F(TlsTest, CarriesBigMessagesBothWaysWhileKeysChange) {
    start();
    TlsClient client(server_.port(), {}, 4096);
    const std::string big(3'000'000, 'x');
    for (int i = 0; i < 3; ++i) {
        client.change_keys();
        client.send(post(big) + kGet);
        EXPECT_EQ(client.receive().body, big);
        EXPECT_EQ(client.receive().body, "{}\n");
    }
}

TEST_F(TlsTest, TellsWhoForgotTheEncryption) {
    start();
    RawHttpClient client(server_.port());
    const RawResponse response = client.exchange(kGet);
    EXPECT_EQ(response.status, 400);
    EXPECT_NE(response.body.find("HTTPS"), std::string::npos);
    EXPECT_TRUE(client.is_at_end());
}

TEST_F(TlsTest, ClosesOnNonsense) {
    start();
    for (const std::string& text : {std::string(10'000, '\xff'), std::string(5, '\0')}) {
        RawHttpClient client(server_.port());
        client.send(text);
        client.shut_down_sending();
        client.receive_rest();
        EXPECT_TRUE(client.is_at_end());
    }
    EXPECT_EQ(serial_of_new_connection(), 1);
}

TEST_F(TlsTest, CutsOffASlowHandshakeAndNotWhoIsOnlyIdleAfterIt) {
    start({.read_timeout = 50ms});
    TlsClient idle(server_.port());
    for (const char* bytes : {"", "\x16\x03\x01\x02"}) {
        RawHttpClient slow(server_.port());
        slow.send(bytes);
        EXPECT_TRUE(slow.is_at_end());
    }
    EXPECT_EQ(idle.exchange(kGet).status, 200);
}

TEST_F(TlsTest, AnswersAClientThatOnlyStopsSending) {
    start();
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        for (const bool is_polite : {true, false}) {
            TlsClient client(server_.port(), {.version_min = version, .version_max = version});
            client.send(post("last words"));
            if (is_polite) client.say_goodbye();
            client.wire().shut_down_sending();
            EXPECT_NE(client.receive_rest().find("last words"), std::string::npos) << version;
        }
    }
}

TEST_F(TlsTest, SaysGoodbye) {
    start();
    TlsClient client(server_.port());
    client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(client.receive().status, 200);
    EXPECT_TRUE(client.is_at_orderly_end());
}

TEST_F(TlsTest, NoticesTheEndOfAClientThatWaits) {
    std::promise<void> gone;
    std::promise<Responder> waiting;
    server_.router().add("GET", "/parked", Access::open,
                         [&](const HttpRequest&, const Responder& respond) {
                             respond.on_client_gone([&gone] { gone.set_value(); });
                             waiting.set_value(respond);
                         });
    start();
    TlsClient client(server_.port());
    client.send("GET /parked HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const Responder respond = waiting.get_future().get();
    client.wire().abort();
    EXPECT_EQ(gone.get_future().wait_for(20s), std::future_status::ready);
}

TEST_F(TlsTest, TakesARenewedCertificateForNewConnections) {
    start();
    TlsClient old_client(server_.port());
    EXPECT_EQ(old_client.certificate_serial(), 1);
    files_.renew(2);
    EXPECT_EQ(serial_of_new_connection(), 2);
    EXPECT_EQ(old_client.exchange(kGet).status, 200);
}

TEST_F(TlsTest, KeepsItsCertificateWhenTheNewOneIsBroken) {
    start();
    files_.write_certificate("not a certificate");
    EXPECT_EQ(serial_of_new_connection(), 1);
    EXPECT_TRUE(has_logged("the new one cannot be used"));
    EXPECT_TRUE(has_logged(files_.certificate_file()));
    files_.renew(3);
    EXPECT_EQ(serial_of_new_connection(), 3);
    EXPECT_TRUE(has_logged("The certificate was read again."));
}

TEST_F(TlsTest, LooksAtTheFilesNoMoreOftenThanAllowed) {
    FakeClock clock(Instant{} + 1h);
    observe::Log log({.sink = [](std::string_view) {
    }});
    TlsConfig config = files();
    config.check_interval = 1s;
    TlsCertificate certificate(config, log, clock);
    ASSERT_TRUE(certificate.load());
    const auto first = certificate.current();
    files_.renew(2);
    clock.advance(999ms);
    EXPECT_EQ(certificate.current(), first);
    clock.advance(1ms);
    EXPECT_NE(certificate.current(), first);
}

TEST_F(TlsTest, DoesNotStartWithFilesThatCannotBeUsed) {
    const std::string certificate = files_.certificate_file();
    const std::string key = files_.key_file();
    const TlsFiles others;
    server_.start();
    observe::Log log({.sink = [](std::string_view) {
    }});
    struct Row {
        TlsConfig config;
        std::string named;
    };
    for (const Row& row : {
             Row{{.certificate_file = "/nowhere.crt", .key_file = key},
                 "/nowhere.crt: it cannot be read: No such file or directory."},
             Row{{.certificate_file = certificate, .key_file = "/nowhere.key"},
                 "/nowhere.key: it cannot be read: No such file or directory."},
             Row{{.certificate_file = key, .key_file = key}, "certificate"},
             Row{{.certificate_file = certificate, .key_file = certificate}, "key"},
             Row{{.certificate_file = certificate, .key_file = others.key_file()},
                 others.key_file()},
         }) {
        Server server(server_.service(), server_.metrics(), log, {.tls = row.config});
        const Status started = server.start();
        ASSERT_FALSE(started) << row.named;
        EXPECT_EQ(started.error().code, ErrorCode::invalid_argument);
        EXPECT_NE(started.error().detail.find(row.named), std::string::npos)
            << started.error().detail;
    }
}

}  // namespace
}  // namespace millrace::http

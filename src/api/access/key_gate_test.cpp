#include "api/access/key_gate.hpp"

#include <gtest/gtest.h>

#include "api/access/minted_key.hpp"
#include "core/limits.hpp"
#include "store/memory/memory_database.hpp"
#include "support/rest_engine.hpp"

namespace millrace::access {
namespace {

const std::string kSecret(kKeySecretBytes, 'x');
const std::string kOtherSecret(kKeySecretBytes, 'y');

class KeyGateTest : public testing::Test {
protected:
    void SetUp() override {
        const Instant now = clock_.now();
        store({.id = "viewer000000", .role = Role::viewer});
        store({.id = "admin0000000", .name = "ops", .role = Role::admin});
        store({.id = "expired00000", .role = Role::admin, .expires_at = now});
        store({.id = "expiring0000", .role = Role::admin, .expires_at = now + Duration(1)});
        store({.id = "revoked00000", .role = Role::admin, .revoked_at = now});
    }

    void store(ApiKey key) {
        key.secret_hash = hash_of(kSecret);
        ASSERT_TRUE(batches_->load({}));
        ASSERT_TRUE(batches_->apply({.api_keys = {key}}));
    }

    struct Outcome {
        int status = 0;  // 0: it was let in.
        std::string body{};
        std::vector<std::pair<std::string_view, std::string>> headers{};
        std::shared_ptr<const Principal> principal{};

        std::string header(std::string_view name) const {
            for (const auto& [each, value] : headers) {
                if (each == name) return value;
            }
            return {};
        }
    };

    Outcome ask(const std::optional<std::string>& authorization, Access access = Access::view,
                const std::string& address = "10.0.0.1") {
        http::HttpRequest request{.remote_address = address};
        if (authorization) request.headers.add("Authorization", *authorization);
        const auto exchange = std::make_shared<FakeExchange>("id");
        Outcome outcome{.status = -1};
        gate_.admit(std::move(request), access, http::Responder(exchange),
                    [&](http::HttpRequest admitted) {
                        outcome.status = 0;
                        outcome.principal = admitted.principal;
                    });
        while (queries_.run_once(*reader_)) continue;
        if (exchange->answer()) {
            EXPECT_EQ(outcome.status, -1) << "let in and answered";
            outcome.status = exchange->answer()->status;
            outcome.body = exchange->answer()->body;
            outcome.headers = exchange->answer()->headers;
        }
        return outcome;
    }

    static std::string bearer(const std::string& id, const std::string& secret = kSecret) {
        return "Bearer mr_" + id + "_" + secret;
    }

    FakeClock clock_{Instant{std::chrono::seconds{1'800'000'000}}};
    std::vector<std::string> log_lines_;
    observe::Log log_{{.format = observe::LogFormat::json, .sink = [this](std::string_view line) {
                           log_lines_.emplace_back(line);
                       }}};
    observe::Metrics metrics_;
    MemoryDatabase database_;
    std::unique_ptr<BatchStore> batches_ = database_.batch_store();
    std::unique_ptr<Reader> reader_ = database_.reader();
    QueryQueue queries_{[] {
    }};
    KeyCache cache_{queries_, clock_};
    KeyGate gate_{cache_, clock_, metrics_, log_};
};

TEST_F(KeyGateTest, LetsGoodKeysIn) {
    for (const std::string& header : {bearer("admin0000000"), "bearer mr_admin0000000_" + kSecret,
                                      "BEARER   mr_admin0000000_" + kSecret}) {
        const Outcome outcome = ask(header);
        ASSERT_EQ(outcome.status, 0) << header;
        ASSERT_NE(outcome.principal, nullptr);
        EXPECT_EQ(*outcome.principal,
                  (Principal{.key_id = "admin0000000", .name = "ops", .role = Role::admin}));
    }
    EXPECT_EQ(ask(bearer("expiring0000")).status, 0);
}

TEST_F(KeyGateTest, AnswersEveryBadKeyTheSame) {
    const std::string expected = ask(std::nullopt).body;
    int n = 0;
    for (const std::string& header :
         {std::string(), std::string("Bearer"), std::string("Bearer "), std::string("Basic YTpi"),
          "mr_admin0000000_" + kSecret, bearer("admin0000000", kOtherSecret),
          bearer("admin0000000") + "x", bearer("unknown00000"), bearer("expired00000"),
          bearer("revoked00000"), bearer("revoked00000", kOtherSecret)}) {
        const Outcome outcome = ask(header, Access::administer, "10.0.1." + std::to_string(++n));
        EXPECT_EQ(outcome.status, 401) << header;
        EXPECT_EQ(outcome.header("WWW-Authenticate"), "Bearer");
        EXPECT_EQ(outcome.body, expected) << header;
    }
    const std::string text = metrics_.text();
    for (const char* line :
         {R"({reason="missing"} 1)", R"({reason="malformed"} 6)", R"({reason="wrong_secret"} 2)",
          R"({reason="unknown"} 1)", R"({reason="expired"} 1)", R"({reason="revoked"} 1)"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line;
    }
}

TEST_F(KeyGateTest, RefusesTwoCredentialsAtOnce) {
    http::HttpRequest request{.remote_address = "10.0.0.1"};
    request.headers.add("Authorization", bearer("admin0000000"));
    request.headers.add("Authorization", bearer("viewer000000"));
    const auto exchange = std::make_shared<FakeExchange>("id");
    gate_.admit(std::move(request), Access::view, http::Responder(exchange),
                [](const http::HttpRequest&) { FAIL(); });
    ASSERT_TRUE(exchange->answer());
    EXPECT_EQ(exchange->answer()->status, 401);
}

TEST_F(KeyGateTest, RefusesWhatTheRoleMayNotDo) {
    EXPECT_EQ(ask(bearer("viewer000000"), Access::view).status, 0);
    EXPECT_EQ(ask(bearer("viewer000000"), Access::known).status, 0);
    for (const Access access : {Access::work, Access::operate, Access::administer}) {
        EXPECT_EQ(ask(bearer("viewer000000"), access).status, 403);
    }
    EXPECT_TRUE(log_lines_.empty());
}

TEST_F(KeyGateTest, LetsACertificateInThatStandsForSomebody) {
    const Principal billing{.credential = Credential::certificate,
                            .key_id = "certificate:billing",
                            .name = "billing",
                            .role = Role::worker,
                            .workspace_id = WorkspaceId{"acme"}};
    const Principal other{.credential = Credential::certificate, .key_id = "certificate:other"};
    ClientCertificates certificates;
    certificates.add("uri:spiffe://acme/billing", billing);
    certificates.add("dns:other", other);
    KeyGate gate(cache_, clock_, metrics_, log_, certificates);

    struct Row {
        std::vector<std::string> names;
        std::optional<std::string> authorization;
        Access access;
        int status;  // 0: it is let in.
        std::string key_id;
    };
    const std::string uri = "uri:spiffe://acme/billing";
    for (const Row& row : {
             Row{{uri}, {}, Access::work, 0, "certificate:billing"},
             Row{{"cn:x", uri, "dns:y"}, {}, Access::known, 0, "certificate:billing"},
             Row{{uri, uri}, {}, Access::work, 0, "certificate:billing"},
             Row{{uri}, {}, Access::administer, 403, ""},
             Row{{"dns:spiffe://acme/billing"}, {}, Access::work, 401, ""},  // Another kind.
             Row{{"cn:billing"}, {}, Access::work, 401, ""}, Row{{}, {}, Access::work, 401, ""},
             Row{{uri, "dns:other"}, {}, Access::known, 401, ""},  // It stands for two.
             Row{{uri}, bearer("viewer000000"), Access::view, 0, "viewer000000"},
             Row{{uri}, bearer("revoked00000"), Access::view, 401, ""},  // What was sent counts.
         }) {
        http::HttpRequest request{.remote_address = "10.0.2.1"};
        request.certificate_names = std::make_shared<const std::vector<std::string>>(row.names);
        if (row.authorization) request.headers.add("Authorization", *row.authorization);
        const auto exchange = std::make_shared<FakeExchange>("id");
        std::string key_id;
        gate.admit(std::move(request), row.access, http::Responder(exchange),
                   [&](const http::HttpRequest& admitted) { key_id = admitted.principal->key_id; });
        while (queries_.run_once(*reader_)) continue;
        EXPECT_EQ(exchange->answer() ? exchange->answer()->status : 0, row.status);
        EXPECT_EQ(key_id, row.key_id);
    }
    EXPECT_NE(metrics_.text().find(R"({reason="unknown_certificate"} 4)"), std::string::npos);
}

TEST_F(KeyGateTest, TellsOfACertificateThatStandsForNobody) {
    std::vector<std::string> names{"cn:bil\nling", "dns:" + std::string(100, 'x')};
    for (int i = 0; i < 20; ++i) names.push_back("dns:h" + std::to_string(i));
    const auto shown = std::make_shared<const std::vector<std::string>>(names);
    std::string answer;
    for (int i = 0; i < 2 * limits::kAuthFailuresMax; ++i) {
        http::HttpRequest request{.remote_address = "10.0.2.1", .certificate_names = shown};
        const auto exchange = std::make_shared<FakeExchange>("id");
        gate_.admit(std::move(request), Access::view, http::Responder(exchange),
                    [](const http::HttpRequest&) { FAIL(); });
        ASSERT_EQ(exchange->answer()->status, 401);
        answer = exchange->answer()->body;
    }
    EXPECT_NE(answer.find(", or a certificate of a known client"), std::string::npos) << answer;
    ASSERT_EQ(log_lines_.size(), std::size_t{limits::kAuthFailuresMax});
    for (const char* part :
         {R"("level":"warn")", R"("reason":"unknown_certificate")",
          R"("certificateNames":"cn:bil?ling, dns:xxx)", "dns:h5 and others", "10.0.2.1"}) {
        EXPECT_NE(log_lines_[0].find(part), std::string::npos) << log_lines_[0];
    }
    EXPECT_EQ(log_lines_[0].find("dns:h6"), std::string::npos);
    EXPECT_EQ(ask(bearer("viewer000000")).status, 0) << "keys of this address still count";
}

TEST_F(KeyGateTest, ExpiresAKeyThatItRemembers) {
    EXPECT_EQ(ask(bearer("expiring0000")).status, 0);
    clock_.advance(Duration(1));
    EXPECT_EQ(ask(bearer("expiring0000")).status, 401);
}

TEST_F(KeyGateTest, LetsAnAddressWaitAfterTooManyFailures) {
    for (std::int64_t i = 0; i < limits::kAuthFailuresMax; ++i) {
        EXPECT_EQ(ask(bearer("unknown00000")).status, 401);
    }
    const Outcome refused = ask(bearer("unknown00000"));
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.header("Retry-After"), "3");
    EXPECT_EQ(ask("Bearer nonsense").status, 429);
    EXPECT_EQ(ask(bearer("admin0000000")).status, 0) << "the wait has made it look which there are";
    EXPECT_EQ(ask(std::nullopt).status, 401) << "nothing was tried";
    EXPECT_EQ(ask(bearer("unknown00000"), Access::view, "10.0.0.2").status, 401);

    store({.id = "unheard00000", .role = Role::viewer});
    EXPECT_EQ(ask(bearer("unheard00000")).status, 429) << "not looked for one by one";
    clock_.advance(limits::kAuthFailureForgiven);
    EXPECT_EQ(ask(bearer("unheard00000")).status, 0);
}

TEST_F(KeyGateTest, LearnsOfKeysThatCameUnheardBehindABadAddress) {
    const auto fail_often = [this] {
        for (std::int64_t i = 0; i <= limits::kAuthFailuresMax; ++i) ask("Bearer nonsense");
    };
    fail_often();
    EXPECT_EQ(ask(bearer("admin0000000")).status, 429);
    EXPECT_EQ(ask(bearer("admin0000000")).status, 0);
    store({.id = "unheard00000", .role = Role::viewer});
    clock_.advance(limits::kApiKeysSeenAgain);
    fail_often();
    EXPECT_EQ(ask(bearer("unheard00000")).status, 429);
    EXPECT_EQ(ask(bearer("unheard00000")).status, 0);
}

TEST_F(KeyGateTest, ServesKeysThatTheStoreHadAtTheStartBehindABadAddress) {
    ASSERT_TRUE(cache_.see_all(*reader_));
    for (std::int64_t i = 0; i <= limits::kAuthFailuresMax; ++i) ask(bearer("unknown00000"));
    EXPECT_EQ(ask(bearer("unknown00000")).status, 429);
    EXPECT_EQ(ask(bearer("viewer000000")).status, 0);
}

TEST_F(KeyGateTest, KeepsServingKeysThatItKnowsBehindABadAddress) {
    EXPECT_EQ(ask(bearer("admin0000000")).status, 0);
    for (std::int64_t i = 0; i < limits::kAuthFailuresMax; ++i) ask(bearer("revoked00000"));
    EXPECT_EQ(ask(bearer("revoked00000")).status, 429);
    EXPECT_EQ(ask(bearer("admin0000000")).status, 0);
    clock_.advance(limits::kApiKeyFresh);
    EXPECT_EQ(ask(bearer("admin0000000")).status, 0);
}

TEST_F(KeyGateTest, LogsFailuresWithoutWhatWasSent) {
    ask(bearer("unknown00000", kOtherSecret));
    ask(bearer("admin0000000", kOtherSecret));
    ask("Bearer mr_nonsense");
    ask(std::nullopt);
    ASSERT_EQ(log_lines_.size(), 3u);
    EXPECT_NE(log_lines_[0].find(R"("reason":"unknown")"), std::string::npos) << log_lines_[0];
    EXPECT_EQ(log_lines_[0].find("unknown00000"), std::string::npos);
    EXPECT_NE(log_lines_[1].find(R"("keyId":"admin0000000")"), std::string::npos);
    EXPECT_NE(log_lines_[1].find(R"("remoteAddress":"10.0.0.1")"), std::string::npos);
    for (const std::string& line : log_lines_) {
        EXPECT_EQ(line.find(kOtherSecret), std::string::npos);
        EXPECT_EQ(line.find("mr_"), std::string::npos);
    }
}

}  // namespace
}  // namespace millrace::access

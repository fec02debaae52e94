#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/json/parse.hpp"
#include "support/temporary_folder.hpp"
#include "temporal_case.hpp"

namespace millrace {
namespace {

// Goal: what hosted clusters ask for gets us in, and nothing less does. Method: a proxy that asks
// for a client certificate and an API key.
class TemporalTlsTest : public testing::Test {
protected:
    std::string told(const char* name) const { return *description_.find(name)->if_string(); }
    std::string file(const std::string& name) const { return told("directory") + "/" + name; }

    TemporalOptions options() const {
        return {
            .address = told("address"),
            .task_queue = "millrace-test",
            .api_key = told("apiKey"),
            .tls = TemporalTls{.ca_file = file("server.pem"),
                               .certificate_file = file("client.pem"),
                               .key_file = file("client.key"),
                               .server_name = told("serverName")},
        };
    }

    static StartAnswer started_by(const TemporalOptions& options) {
        return start(*opened(options), start_of(new_execution(), "Nothing"), 10s);
    }

    static void expect_unreachable(const TemporalOptions& options) {
        const StartAnswer answer = started_by(options);
        EXPECT_EQ(answer.outcome, StartOutcome::unreachable) << answer.message;
        EXPECT_EQ(answer.message.find(options.api_key), std::string::npos);
    }

    const json::Value description_ =
        *json::parse(environment_of_temporal("MILLRACE_TEST_TEMPORAL_TLS"));
};

TEST_F(TemporalTlsTest, CertificateAndKeyGetUsIn) {
    const StartAnswer answer = started_by(options());
    EXPECT_EQ(answer.outcome, StartOutcome::started) << answer.code << " " << answer.message;
}

TEST_F(TemporalTlsTest, AllCallsCarryTheKey) {
    const auto executor = opened(options());
    const ExecutionKey key = new_execution();
    ASSERT_EQ(start(*executor, start_of(key, "Wait")).outcome, StartOutcome::started);
    EXPECT_EQ(describe(*executor, key).answer.value_or(RunReport{}).state, RunState::running);
    EXPECT_EQ(cancel(*executor, key, true).answer, true);
    EXPECT_EQ(await_end(*executor, key).answer.value_or(RunReport{}).state, RunState::terminated);
}

TEST_F(TemporalTlsTest, AnotherKeyIsRefused) {
    for (const std::string& key : {std::string{}, std::string{"wrong"}}) {
        TemporalOptions wrong = options();
        wrong.api_key = key;
        const StartAnswer answer = started_by(wrong);
        EXPECT_EQ(answer.outcome, StartOutcome::refused);
        EXPECT_EQ(answer.code, "UNAUTHENTICATED");
        EXPECT_EQ(answer.reason, "PERMISSION_DENIED");
    }
}

TEST_F(TemporalTlsTest, WithoutACertificateOrWithAnotherNothingIsSent) {
    TemporalOptions without = options();
    without.tls->certificate_file.clear();
    without.tls->key_file.clear();
    expect_unreachable(without);
    TemporalOptions another = options();
    another.tls->certificate_file = file("stranger.pem");
    another.tls->key_file = file("stranger.key");
    expect_unreachable(another);
}

TEST_F(TemporalTlsTest, AServerThatWeDoNotTrustGetsNothing) {
    TemporalOptions another_ca = options();
    another_ca.tls->ca_file = file("stranger.pem");
    expect_unreachable(another_ca);
    TemporalOptions of_system = options();
    of_system.tls->ca_file.clear();
    expect_unreachable(of_system);
    TemporalOptions another_name = options();
    another_name.tls->server_name = "elsewhere.test";
    expect_unreachable(another_name);
}

TEST_F(TemporalTlsTest, AKeyIsNeverSentInTheClear) {
    TemporalOptions plain = options();
    plain.tls.reset();
    plain.address = environment_of_temporal("MILLRACE_TEST_TEMPORAL");
    expect_unreachable(plain);  // That server speaks no TLS, and we speak nothing else.
}

TEST_F(TemporalTlsTest, RenewedFilesAreUsedByTheNextConnection) {
    const TemporaryFolder folder;
    const auto put = [&](const std::string& name, const std::string& as) {
        const std::string fresh = (folder.path() / "fresh").string();
        std::filesystem::copy_file(file(name), fresh);
        std::filesystem::rename(fresh, folder.path() / as);
    };
    put("stranger.pem", "client.pem");
    put("stranger.key", "client.key");
    TemporalOptions renewing = options();
    renewing.tls->certificate_file = (folder.path() / "client.pem").string();
    renewing.tls->key_file = (folder.path() / "client.key").string();
    renewing.tls->files_checked_every = 1s;
    const auto executor = opened(renewing);
    const StartRun request = start_of(new_execution(), "Nothing");
    ASSERT_EQ(start(*executor, request, 10s).outcome, StartOutcome::unreachable);

    put("client.key", "client.key");
    put("client.pem", "client.pem");
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (start(*executor, request, 10s).outcome != StartOutcome::started) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    }
}

TEST_F(TemporalTlsTest, OptionsThatCanNeverWorkAreRefusedAtOnce) {
    const auto refused = [](const TemporalOptions& options) {
        const auto executor = open_temporal(options);
        ASSERT_FALSE(executor);
        EXPECT_EQ(executor.error().code, ErrorCode::invalid_argument);
    };
    TemporalOptions no_ca = options();
    no_ca.tls->ca_file = "/nowhere/ca.pem";
    refused(no_ca);
    TemporalOptions no_key = options();
    no_key.tls->key_file = "/nowhere/client.key";
    refused(no_key);
    TemporalOptions half = options();
    half.tls->key_file.clear();
    refused(half);
    TemporalOptions odd_key = options();
    odd_key.api_key = "key\n";
    refused(odd_key);
    refused({});
}

}  // namespace
}  // namespace millrace

#include <gtest/gtest.h>

#include <fstream>

#include "millrace/client/client.hpp"
#include "scripted_server.hpp"
#include "support/temporary_folder.hpp"
#include "test_certificate.hpp"

namespace millrace::client {
namespace {

class Tls : public testing::Test {
protected:
    Error error_of(const ClientOptions& options) {
        Client client(options);
        const Status status = client.healthz();
        return status ? Error{} : status.error();
    }

    TemporaryFolder folder_;
    TlsIdentity identity_ = make_certificate(folder_.path(), "IP:127.0.0.1");
    ScriptedServer server_{[](const Received& received) {
                               return json_answer(200, R"({"id":")" + received.body + R"("})");
                           },
                           identity_};
};

TEST_F(Tls, TrustsTheGivenCertificateAndKeepsItsConnection) {
    Client client({.server = server_.url(), .ca_file = identity_.certificate_file});
    for (int i = 0; i < 3; ++i) {
        const Result<Instance> instance = client.get_instance("i");
        ASSERT_TRUE(instance) << instance.error().message;
    }
    EXPECT_EQ(server_.connections(), 1);
}

TEST_F(Tls, LargeAnswersComeThrough) {
    const std::string large(500'000, 'x');
    ScriptedServer server([&](const Received&) { return json_answer(200, "\"" + large + "\""); },
                          identity_);
    Client client({.server = server.url(), .ca_file = identity_.certificate_file});
    const Result<json::Value> definition = client.get_definition("d");
    ASSERT_TRUE(definition);
    EXPECT_EQ(*definition, json::Value(large));
}

TEST_F(Tls, RefusesAServerThatNobodyVouchesFor) {
    const Error error = error_of({.server = server_.url()});
    EXPECT_EQ(error.code, "untrusted");
    EXPECT_FALSE(is_transient(error));
    EXPECT_EQ(server_.latest().target, "") << "nothing was sent";
}

TEST_F(Tls, RefusesAServerOfAnotherName) {
    const TemporaryFolder folder;
    const TlsIdentity other = make_certificate(folder.path(), "elsewhere.example");
    const ScriptedServer server([](const Received&) { return no_content(); }, other);
    EXPECT_EQ(error_of({.server = server.url(), .ca_file = other.certificate_file}).code,
              "untrusted");
}

TEST_F(Tls, TrustsAnybodyOnlyWhenToldTo) {
    EXPECT_EQ(error_of({.server = server_.url(), .verifies_server = false}).code, "");
}

TEST_F(Tls, SaysWhenTheCertificatesCannotBeRead) {
    const std::string none = folder_.path() / "none.pem";
    EXPECT_EQ(error_of({.server = server_.url(), .ca_file = none}).code, "invalid-ca-file");
    std::ofstream(folder_.path() / "text.pem") << "no certificate";
    EXPECT_EQ(error_of({.server = server_.url(), .ca_file = folder_.path() / "text.pem"}).code,
              "invalid-ca-file");
}

TEST_F(Tls, IsNotSpokenByAPlainServer) {
    const ScriptedServer plain([](const Received&) { return no_content(); });
    std::string url = plain.url();
    url.insert(4, "s");
    EXPECT_EQ(error_of({.server = url, .connect_duration_max = std::chrono::seconds(2)}).code,
              "untrusted");
}

}  // namespace
}  // namespace millrace::client

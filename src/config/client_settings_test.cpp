// Certificates of clients: who may sign them, and whom they stand for.

#include <gtest/gtest.h>

#include <fstream>

#include "config/read_config.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

class ClientSettingsTest : public testing::Test {
protected:
    Result<ServerConfig> read(const std::string& text) {
        const std::string path = folder_.path() / "clients.yaml";
        std::ofstream(path) << text;
        return read_config({"--config", path}, [](std::string_view) { return std::nullopt; });
    }

    TemporaryFolder folder_;
};

const std::string kTls =
    "auth: keys\ntls: {certificate: c.pem, key: k.pem, clientCa: ca.pem, "
    "clientCertificate: required}\n";

TEST_F(ClientSettingsTest, ReadsWhomCertificatesStandFor) {
    const auto config = read(kTls +
                             "clients:\n"
                             "  billing: {certificate: 'uri:spiffe://acme/billing', role: worker, "
                             "workspace: acme}\n"
                             "  ops: {certificate: 'cn:ops', role: admin}\n");
    ASSERT_TRUE(config) << config.error().detail;
    EXPECT_EQ(config->client_tls, (ClientTls{.ca = "ca.pem", .is_required = true}));
    const std::map<std::string, ClientSettings> expected{
        {"billing", {"uri:spiffe://acme/billing", "worker", "acme"}},
        {"ops", {"cn:ops", "admin", ""}}};
    EXPECT_EQ(config->clients, expected);
}

TEST_F(ClientSettingsTest, NamesWhatDoesNotFit) {
    struct Row {
        std::string file;
        std::string named;
    };
    for (const Row& row : std::vector<Row>{
             {"clients: {a: {certificate: 'uri:x'}}\n", "clients.a.role"},
             {"clients: {a: {role: worker}}\n", "clients.a.certificate"},
             {"clients: {a: {certificate: x, role: worker}}\n", "clients.a.certificate"},
             {"clients: {a: {certificate: 'dns:', role: worker}}\n", "clients.a.certificate"},
             {"clients: {a: {certificate: 'dns:x', role: boss}}\n", "clients.a.role"},
             {"clients: {a: {certificate: 'dns:x', role: worker, workspace: 'A B'}}\n",
              "clients.a.workspace"},
             {"clients: {a: {certificate: 'dns:x', role: worker, colour: red}}\n",
              "clients.a.colour"},
             {"clients: {'a b': {certificate: 'dns:x', role: worker}}\n", "clients.a b"},
             {"clients: {a: {certificate: 'dns:x', role: worker}, b: {certificate: 'dns:x', role: "
              "admin}}\n",
              "clients.b.certificate"},
             {"tls: {clientCa: ca.pem}\nauth: keys\n", "tls.clientCa"},
             {"tls: {certificate: c, key: k, clientCa: ca.pem}\n", "tls.clientCa"},
             {"clients: {a: {certificate: 'dns:x', role: worker}}\n", "needs tls.clientCa"},
             {"tls: {clientCertificate: required}\n", "tls.clientCertificate"},
             {"tls: {clientCertificate: sometimes}\n", "tls.clientCertificate"},
         }) {
        const auto config = read(row.file);
        ASSERT_FALSE(config) << row.file;
        EXPECT_NE(config.error().detail.find(row.named), std::string::npos)
            << row.file << config.error().detail;
    }
}

}  // namespace
}  // namespace millrace

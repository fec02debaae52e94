#include "api/admin/routes.hpp"

#include <gtest/gtest.h>

#include "core/access/principal.hpp"
#include "support/http_test_server.hpp"
#include "support/raw_http_client.hpp"

namespace millrace::admin {
namespace {

// Lets everybody in as one key.
class OneKeyGate final : public http::Gate {
public:
    explicit OneKeyGate(Principal principal)
        : principal_(std::make_shared<const Principal>(std::move(principal))) {}

    void admit(http::HttpRequest request, Access, const http::Responder&, Pass pass) override {
        request.principal = principal_;
        pass(std::move(request));
    }

private:
    std::shared_ptr<const Principal> principal_;
};

TEST(AdminRoutesTest, AnswersAScrapeOnAnyPath) {
    HttpTestServer server;
    add_routes(server.router(), server.metrics(),
               [&server] { server.metrics().commands_waiting.set(5); });
    server.start();
    server.metrics().instances_started.add(2);
    RawHttpClient client(server.port());
    for (const char* path : {"/metrics", "/", "/some/thing"}) {
        const RawResponse response = client.exchange("GET " + std::string(path) +
                                                     " HTTP/1.1\r\nHost: localhost:9091\r\n\r\n");
        EXPECT_EQ(response.status, 200) << path;
        EXPECT_TRUE(response.has("Content-Type: text/plain; version=0.0.4"));
        for (const char* line : {"\nworkflow_instances_started_total 2\n",
                                 "\nmillrace_commands_waiting 5\n", "\nprocess_open_fds "}) {
            EXPECT_NE(response.body.find(line), std::string::npos) << line;
        }
    }
}

TEST(AdminRoutesTest, TellsOfAllWorkspacesToKeysOfTheClusterAlone) {
    struct Row {
        std::optional<WorkspaceId> workspace_id{};
        int status = 0;
    };
    for (const Row& row : {Row{std::nullopt, 200}, Row{WorkspaceId{"default"}, 403},
                           Row{WorkspaceId{"acme"}, 403}}) {
        OneKeyGate gate({.role = Role::admin, .workspace_id = row.workspace_id});
        HttpTestServer server;
        bool is_measured = false;
        add_routes(server.router(), server.metrics(), [&is_measured] { is_measured = true; });
        server.start({}, {.gate = &gate});
        RawHttpClient client(server.port());
        const RawResponse response =
            client.exchange("GET /metrics HTTP/1.1\r\nHost: localhost:9091\r\n\r\n");
        EXPECT_EQ(response.status, row.status);
        EXPECT_EQ(is_measured, row.status == 200);
        const bool has_metrics =
            response.body.find("workflow_instances_started_total") != std::string::npos;
        EXPECT_EQ(has_metrics, row.status == 200) << response.body;
    }
}

}  // namespace
}  // namespace millrace::admin

#include "api/admin/routes.hpp"

#include <gtest/gtest.h>

#include "support/http_test_server.hpp"
#include "support/raw_http_client.hpp"

namespace millrace::admin {
namespace {

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

}  // namespace
}  // namespace millrace::admin

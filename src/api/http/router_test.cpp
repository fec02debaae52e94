#include "api/http/router.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

using Outcome = Router::Outcome;

class RouterTest : public testing::Test {
protected:
    RouterTest() {
        for (const auto& [method, pattern] : {
                 std::pair{"GET", "/healthz"},
                 std::pair{"GET", "/v1/definitions"},
                 std::pair{"POST", "/v1/definitions"},
                 std::pair{"GET", "/v1/definitions/{id}"},
                 std::pair{"GET", "/v1/definitions/{id}/versions/{version}"},
                 std::pair{"POST", "/v1/jobs/{id}/complete"},
                 std::pair{"POST", "/v1/jobs/poll"},
                 std::pair{"POST", "/v1/jobs/{id}"},
                 std::pair{"POST", "/v1/instances:batch"},
             }) {
            router_.add(method, pattern, Access::open, [](const HttpRequest&, const Responder&) {});
        }
    }

    observe::Metrics metrics_;
    Router router_{metrics_};
};

TEST_F(RouterTest, FindsRoutesAndDecodesParametersOnce) {
    struct Row {
        const char* method;
        const char* path;
        const char* pattern;
        std::vector<std::pair<std::string_view, std::string>> parameters;
    };
    for (const Row& row : {
             Row{"GET", "/healthz", "/healthz", {}},
             Row{"POST", "/v1/definitions", "/v1/definitions", {}},
             Row{"GET", "/v1/definitions/loan", "/v1/definitions/{id}", {{"id", "loan"}}},
             Row{"GET", "/v1/definitions/a%2Fb%2525", "/v1/definitions/{id}", {{"id", "a/b%25"}}},
             Row{"GET",
                 "/v1/definitions/x/versions/2",
                 "/v1/definitions/{id}/versions/{version}",
                 {{"id", "x"}, {"version", "2"}}},
             Row{"POST", "/v1/jobs/poll", "/v1/jobs/poll", {}},
             Row{"POST", "/v1/jobs/other", "/v1/jobs/{id}", {{"id", "other"}}},
             Row{"POST", "/v1/jobs/poll/complete", "/v1/jobs/{id}/complete", {{"id", "poll"}}},
             Row{"POST", "/v1/instances%3Abatch", "/v1/instances:batch", {}},
         }) {
        const Router::Match match = router_.find(row.method, row.path);
        ASSERT_EQ(match.outcome, Outcome::found) << row.path;
        EXPECT_EQ(match.route->pattern, row.pattern);
        EXPECT_EQ(match.path_parameters, row.parameters) << row.path;
    }
}

TEST_F(RouterTest, KnowsNoOtherPath) {
    for (const char* path :
         {"/", "/healthz/", "/v1/definitions/", "/v1//definitions", "/v2/jobs",
          "/v1/jobs/x/complete/", "/V1/definitions", "/v1/definitions/x/versions/"}) {
        EXPECT_EQ(router_.find("GET", path).outcome, Outcome::no_path) << path;
    }
}

TEST_F(RouterTest, NamesTheMethodsOfAPath) {
    const Router::Match match = router_.find("DELETE", "/v1/definitions");
    EXPECT_EQ(match.outcome, Outcome::no_method);
    EXPECT_EQ(match.methods, (std::vector<std::string>{"GET", "POST"}));
    EXPECT_EQ(router_.find("HEAD", "/healthz").outcome, Outcome::no_method);
}

TEST_F(RouterTest, GivesTheRestToTheFallback) {
    router_.add_fallback("metrics", Access::open, [](const HttpRequest&, const Responder&) {});
    EXPECT_EQ(router_.find("PUT", "/any/thing").route->pattern, "metrics");
    EXPECT_EQ(router_.find("GET", "/").route->pattern, "metrics");
    EXPECT_EQ(router_.find("GET", "/healthz").route->pattern, "/healthz");
}

TEST_F(RouterTest, RefusesBadEncoding) {
    EXPECT_EQ(router_.find("GET", "/v1/definitions/%zz").outcome, Outcome::bad_encoding);
}

}  // namespace
}  // namespace millrace::http

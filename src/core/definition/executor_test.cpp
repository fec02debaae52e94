// Who runs a definition, as its author says it and as it is compiled. What is refused lies in
// tests/definitions.

#include <gtest/gtest.h>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/definition/parse_definition.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kSteps = R"([{"id":"done","name":"Done","type":"END"}])";

// A definition with these members besides id and name.
json::Value document(const std::string& members) {
    const Result<json::Value> parsed =
        json::parse(R"({"id":"order","name":"Order",)" + members + "}");
    EXPECT_TRUE(parsed) << members;
    return *parsed;
}

DefinitionPtr compiled(const std::string& members) {
    const Result<DefinitionPtr> definition = parse_definition(document(members));
    EXPECT_TRUE(definition) << definition.error().detail;
    return *definition;
}

TEST(DefinitionExecutor, IsNativeUnlessItSaysOtherwise) {
    for (const std::string executor :
         {"", R"("executor":null,)", R"("executor":{"kind":"native"},)"}) {
        const DefinitionPtr definition = compiled(executor + R"("steps":)" + std::string(kSteps));
        EXPECT_TRUE(definition->is_native()) << executor;
        EXPECT_EQ(definition->executor, ExecutorSpec{}) << executor;
        EXPECT_EQ(definition->max_attempts, std::nullopt) << executor;
    }
}

TEST(DefinitionExecutor, IsCompiled) {
    struct Row {
        std::string executor;
        ExecutorSpec expected;
    };
    const std::vector<Row> rows{
        {R"({"kind":"temporal"})", {.kind = ExecutorKind::temporal}},
        {R"({"kind":"temporal","target":"eu","namespace":"n","taskQueue":"q","workflowType":"W"})",
         {.kind = ExecutorKind::temporal,
          .target = "eu",
          .name_space = "n",
          .task_queue = "q",
          .workflow_type = "W"}},
        {R"({"kind":"temporal","timeouts":{"execution":"P1D","run":"PT1H","task":"PT10S"}})",
         {.kind = ExecutorKind::temporal,
          .execution_timeout = 24h,
          .run_timeout = 1h,
          .task_timeout = 10s}},
        {R"({"kind":"temporal","timeouts":{"run":"PT1.5S"}})",
         {.kind = ExecutorKind::temporal, .run_timeout = 1500ms}},
        // To retry as the cluster does is not the same as not to retry.
        {R"({"kind":"temporal","retry":{}})",
         {.kind = ExecutorKind::temporal, .retry = RunRetry{}}},
        {R"({"kind":"temporal","retry":{"initialInterval":"PT2S","backoffCoefficient":1.5,
             "maximumInterval":"PT1M","maximumAttempts":4,"nonRetryableErrorTypes":["A","B"]}})",
         {.kind = ExecutorKind::temporal,
          .retry = RunRetry{.initial_interval = 2s,
                            .backoff_coefficient = 1.5,
                            .maximum_interval = 1min,
                            .maximum_attempts = 4,
                            .non_retryable_error_types = {"A", "B"}}}},
    };
    for (const Row& row : rows) {
        const DefinitionPtr definition = compiled(R"("executor":)" + row.executor);
        EXPECT_FALSE(definition->is_native()) << row.executor;
        EXPECT_EQ(definition->executor, row.expected) << row.executor;
    }
}

TEST(DefinitionExecutor, MayBeElsewhereWithStepsAndWithout) {
    const std::string executor = R"("executor":{"kind":"temporal"},)";
    EXPECT_EQ(compiled(executor + R"("steps":)" + std::string(kSteps))->steps.size(), 1u);
    EXPECT_TRUE(compiled(executor + R"("steps":[])")->steps.empty());
    EXPECT_FALSE(parse_definition(document(R"("steps":[])")));
}

TEST(DefinitionExecutor, LimitsTheAttempts) {
    const auto with = [](const std::string& attempts) {
        return document(R"("maxAttempts":)" + attempts + R"(,"steps":)" + std::string(kSteps));
    };
    for (const int attempts : {1, 3, 100}) {
        EXPECT_EQ((*parse_definition(with(std::to_string(attempts))))->max_attempts, attempts);
    }
    EXPECT_EQ((*parse_definition(with("0")))->max_attempts, std::nullopt);
    for (const char* attempts : {"-1", "101", "4294967297"}) {
        EXPECT_FALSE(parse_definition(with(attempts))) << attempts;
    }
}

TEST(DefinitionExecutor, IsContentLikeOtherFields) {
    struct Row {
        std::string left;
        std::string right;
        bool is_same;
    };
    const std::vector<Row> rows{
        {R"({"executor":{"kind":"temporal","target":"a"}})",
         R"({"Executor":{"TARGET":"a","Kind":"temporal"}})", true},
        {R"({"executor":{"kind":"temporal","taskQueue":""}})",
         R"({"executor":{"kind":"temporal"}})", true},
        {R"({"executor":{"timeouts":{"run":null}}})", R"({"executor":{"timeouts":{}}})", true},
        {R"({"executor":{"timeouts":{}}})", R"({"executor":{}})", true},
        {R"({"executor":{"retry":{"maximumAttempts":0}}})", R"({"executor":{"retry":{}}})", true},
        {R"({"executor":{"retry":{}}})", R"({"executor":{}})", false},
        {R"({"executor":{"kind":"temporal"}})", R"({"executor":{"kind":"native"}})", false},
        {R"({"executor":{"kind":"native"}})", "{}", false},
        {R"({"executor":{"retry":{"nonRetryableErrorTypes":["a","b"]}}})",
         R"({"executor":{"retry":{"nonRetryableErrorTypes":["b","a"]}}})", false},
        {R"({"maxAttempts":3})", R"({"maxAttempts":3.0})", true},
        {R"({"maxAttempts":0})", "{}", true},
        {R"({"maxAttempts":3})", R"({"maxAttempts":4})", false},
    };
    for (const Row& row : rows) {
        const json::Value left = *json::parse(row.left);
        const json::Value right = *json::parse(row.right);
        EXPECT_EQ(canonical_text(left) == canonical_text(right), row.is_same) << row.left << "\n"
                                                                              << row.right;
    }
}

TEST(DefinitionExecutor, IsStoredAsItsAuthorWroteIt) {
    EXPECT_EQ(
        json::write(with_version(
            document(R"("executor":{"KIND":"temporal","timeouts":{"run":""},"retry":{}})"), 5)),
        R"({"id":"order","version":5,"name":"Order",)"
        R"("executor":{"kind":"temporal","retry":{}}})");
}

}  // namespace
}  // namespace millrace

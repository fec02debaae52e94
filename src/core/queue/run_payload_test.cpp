#include "core/queue/run_payload.hpp"

#include <gtest/gtest.h>

#include "support/instance_driver.hpp"

namespace millrace {
namespace {

Execution some_execution(std::string definition_id) {
    return {
        .key = {{Id128::for_instance(kNoon, 7)}, kWorkspace},
        .definition = {1, std::move(definition_id), 3},
    };
}

TEST(RunPayload, NamesTheExecutionItsDefinitionAndItsSteps) {
    const DefinitionPtr definition = flow(R"([
        {"id": "z", "type": "SERVICE_TASK", "jobType": "x", "nextStep": "a"},
        {"id": "a", "type": "END"}])");
    const Execution execution = some_execution("flow");
    const json::Value payload =
        json_of(run_payload(execution, *definition, variables_from(R"({"n": 1})")));
    const json::Value expected =
        json_of(R"({"executionId": ")" + to_string(execution.key.id.value) +
                R"(", "workspaceId": ")" + kWorkspace.value +
                R"(", "definitionId": "flow", "definitionVersion": 3,
                                             "nodeIds": ["z", "a"], "input": {"n": 1}})");
    EXPECT_EQ(payload, expected);
}

TEST(RunPayload, LeavesTheInputAsItIs) {
    const std::string input = R"({ "big" : 12345678901234567890123, "e":1.50, "t":"\u00e4<" })";
    const std::string payload =
        run_payload(some_execution("flow"), Definition(), Variables::from_text(input));
    EXPECT_TRUE(payload.ends_with(R"("nodeIds":[],"input":)" + input + "}")) << payload;
}

TEST(RunPayload, NamesAreTextsWhateverTheyContain) {
    const std::string payload = run_payload(some_execution(R"(a"b\c)"), Definition(), Variables());
    EXPECT_EQ(*json_of(payload).find("definitionId"), json::Value(R"(a"b\c)"));
}

}  // namespace
}  // namespace millrace

#include "core/definition/parse_definition.hpp"

#include <gtest/gtest.h>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kEnd = R"({"id":"done","name":"Done","type":"END"})";

DefinitionPtr definition_of(const std::string& text) {
    const Result<json::Value> document = json::parse(text);
    EXPECT_TRUE(document) << text;
    const Result<DefinitionPtr> definition = parse_definition(*document);
    EXPECT_TRUE(definition) << definition.error().detail;
    return *definition;
}

// A definition of the given steps and a last step "done".
std::string with_steps(const std::string& steps) {
    return R"({"id":"sample","name":"Sample","steps":[)" + steps + std::string(kEnd) + "]}";
}

Result<DefinitionPtr> parsed(const std::string& text) {
    const Result<json::Value> document = json::parse(text);
    EXPECT_TRUE(document) << text;
    return parse_definition(*document);
}

TEST(StepType, IsReadBackFromItsName) {
    for (int i = 0; i <= static_cast<int>(StepType::end); ++i) {
        const auto type = static_cast<StepType>(i);
        EXPECT_EQ(parse_step_type(to_string(type)), type) << to_string(type);
    }
    EXPECT_EQ(to_string(StepType::parallel_gateway), "PARALLEL_GATEWAY");
    EXPECT_EQ(parse_step_type("end"), std::nullopt);
    EXPECT_EQ(parse_step_type(""), std::nullopt);
}

TEST(ParseDefinition, ReadsTheRoot) {
    const DefinitionPtr chained = definition_of(
        R"({"id":"a","name":"A","autoStartNextWorkflow":true,"nextWorkflowId":"b","steps":[)" +
        std::string(kEnd) + "]}");
    EXPECT_EQ(chained->id, "a");
    EXPECT_EQ(chained->name, "A");
    EXPECT_EQ(chained->chained_definition, "b");

    const DefinitionPtr alone = definition_of(
        R"({"id":"a","name":"A","autoStartNextWorkflow":false,"nextWorkflowId":"b","steps":[)" +
        std::string(kEnd) + "]}");
    EXPECT_EQ(alone->chained_definition, "");
}

TEST(ParseDefinition, ReadsATask) {
    const DefinitionPtr definition = definition_of(with_steps(R"({
        "id":"work","name":"Work","type":"SERVICE_TASK","jobType":"charge","retryCount":3,
        "nextStep":"done","conditionalNextSteps":{"z > 1":"done","a > 1":"work"},
        "boundaryEvents":[
            {"type":"TIMER","duration":"P1MT5M","interrupting":true,"targetStepId":"done"},
            {"type":"TIMER","duration":"PT1S","targetStepId":"work"}]},)"));
    const Step* step = definition->find_step("work");
    ASSERT_NE(step, nullptr);
    EXPECT_EQ(step, &definition->steps.front());
    EXPECT_EQ(definition->find_step("nowhere"), nullptr);
    EXPECT_EQ(step->type, StepType::service_task);
    EXPECT_EQ(step->job_type, "charge");
    EXPECT_EQ(step->retry_count, 3);
    EXPECT_EQ(step->next_step, "done");

    ASSERT_EQ(step->conditional_next_steps.size(), 2u);
    EXPECT_EQ(step->conditional_next_steps[0].condition.text(), "z > 1");
    EXPECT_EQ(step->conditional_next_steps[0].target_step_id, "done");
    EXPECT_EQ(step->conditional_next_steps[1].condition.text(), "a > 1");

    ASSERT_EQ(step->boundary_timers.size(), 2u);
    EXPECT_EQ(step->boundary_timers[0].duration, (IsoDuration{.months = 1, .exact = 5min}));
    EXPECT_TRUE(step->boundary_timers[0].interrupting);
    EXPECT_FALSE(step->boundary_timers[1].interrupting);
    EXPECT_EQ(step->boundary_timers[1].target_step_id, "work");
}

TEST(ParseDefinition, TellsExpressionsFromLiterals) {
    const DefinitionPtr definition = definition_of(with_steps(R"({
        "id":"set","name":"Set","type":"TRANSFORMATION","nextStep":"done","transformations":{
            "sum":"${ a + b }","when":"${now()}","later":"${ now() }",
            "half":"${a","cost":"$ {a}","text":"a ${b}","zero":0,"none":null,
            "deep":{"x":"${a}"},"list":["${a}"]}},)"));
    const std::vector<Transformation>& entries = definition->steps[0].transformations;
    ASSERT_EQ(entries.size(), 10u);
    EXPECT_EQ(entries[0].variable, "sum");
    ASSERT_TRUE(entries[0].expression);
    EXPECT_EQ(entries[0].expression->text(), "a + b");
    for (std::size_t i = 1; i <= 2; ++i) {
        EXPECT_TRUE(entries[i].is_now);
        EXPECT_FALSE(entries[i].expression);
    }
    const json::Value literals[] = {
        "${a", "$ {a}", "a ${b}", 0, nullptr, json::Object{{"x", "${a}"}}, json::Array{"${a}"},
    };
    for (std::size_t i = 0; i < std::size(literals); ++i) {
        const Transformation& entry = entries[i + 3];
        EXPECT_EQ(entry.literal, literals[i]) << entry.variable;
        EXPECT_FALSE(entry.expression || entry.is_now) << entry.variable;
    }
}

TEST(ParseDefinition, IgnoresUnknownFieldsOnlyWhenAsked) {
    const json::Value document =
        *json::parse(R"({"id":"a","name":"A","owner":1,"steps":[)" + std::string(kEnd) + "]}");
    EXPECT_FALSE(parse_definition(document, UnknownFields::refuse));
    EXPECT_TRUE(parse_definition(document, UnknownFields::ignore));
    EXPECT_NE(with_version(document, 1).find("owner"), nullptr);
}

TEST(ParseDefinition, TakesNoNoticeOfItsSchema) {
    const std::string steps = R"("name":"A","steps":[)" + std::string(kEnd) + "]}";
    const json::Value plain = *json::parse(R"({"id":"a",)" + steps);
    const json::Value named = *json::parse(R"({"$schema":"http://h/s.json","id":"a",)" + steps);
    ASSERT_TRUE(parse_definition(named, UnknownFields::refuse));
    EXPECT_EQ(with_version(named, 1), with_version(plain, 1));
    EXPECT_EQ(canonical_text(named), canonical_text(plain));
    const json::Value wrong = *json::parse(R"({"$schema":7,"id":"a",)" + steps);
    EXPECT_FALSE(parse_definition(wrong, UnknownFields::refuse));
    const json::Value below = *json::parse(
        R"({"id":"a","name":"A","steps":[{"$schema":"s","id":"e","name":"E","type":"END"}]})");
    EXPECT_FALSE(parse_definition(below, UnknownFields::refuse));
}

TEST(ParseDefinition, SaysInItsTextWhatKindOfErrorItIs) {
    EXPECT_EQ(parsed(R"({"id":5,"nam":"A"})").error().detail,
              "parse error: parse: id must be a string; unknown field \"nam\" (did you mean "
              "\"name\"?)");
    EXPECT_EQ(parsed(R"({"id":"a"})").error().detail,
              "validation error: validation errors:\n"
              "  name is required\n"
              "  steps must not be empty");
}

TEST(ParseDefinition, ChecksTheRulesInSpiteOfUnknownFields) {
    const Result<DefinitionPtr> refused = parsed(R"({"id":"a","name":"A","foo":1,"steps":[
        {"id":"s","name":"S","type":"NONSENSE","nextStep":"done","colour":"red"},
        {"id":"t","name":"T","type":"USER_TASK","nextStep":"nowhere"},
        {"id":"done","name":"Done","type":"END"}]})");
    ASSERT_FALSE(refused);
    std::vector<std::string> paths;
    for (const ErrorDetail& each : refused.error().details) paths.push_back(each.path);
    EXPECT_EQ(paths, (std::vector<std::string>{"foo", "steps[0].colour", "steps[0].type",
                                               "steps[1].nextStep", "steps[1]"}))
        << "the last is unreachable";
    EXPECT_TRUE(refused.error().detail.starts_with("parse error: parse: unknown field \"foo\"; "))
        << refused.error().detail;
}

std::string task(std::size_t number, std::size_t next) {
    const std::string id = std::to_string(number);
    return R"({"id":")" + id + R"(","name":"N","type":"USER_TASK","nextStep":")" +
           (next == 0 ? "done" : std::to_string(next)) + "\"},";
}

std::string chain_of(std::size_t count) {
    std::string steps;
    for (std::size_t i = 1; i < count; ++i) steps += task(i, i + 1 < count ? i + 1 : 0);
    return with_steps(steps);
}

TEST(ParseDefinition, LimitsTheNumberOfSteps) {
    EXPECT_TRUE(parsed(chain_of(limits::kStepsMax)));
    const Result<DefinitionPtr> refused = parsed(chain_of(limits::kStepsMax + 1));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().details,
              (std::vector<ErrorDetail>{{"steps", "steps must be \u2264 1000, got 1001"}}));
}

std::string repeated(std::size_t count, const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) out += ',';
        std::string item = text;
        if (const auto at = item.find('#'); at != item.npos) item.replace(at, 1, std::to_string(i));
        out += item;
    }
    return out;
}

TEST(ParseDefinition, LimitsBranchesAndBoundaryEvents) {
    const auto decision = [](std::size_t count) {
        return with_steps(R"({"id":"a","name":"A","type":"DECISION","conditionalNextSteps":{)" +
                          repeated(count, R"("x == #":"done")") + "}},");
    };
    const auto gateway = [](std::size_t count) {
        return with_steps(R"({"id":"a","name":"A","type":"PARALLEL_GATEWAY","joinStep":"j",)"
                          R"("parallelNextSteps":[)" +
                          repeated(count, R"("j")") + R"(]},{"id":"j","name":"J",)" +
                          R"("type":"JOIN_GATEWAY","nextStep":"done"},)");
    };
    const auto timers = [](std::size_t count) {
        return with_steps(
            R"({"id":"a","name":"A","type":"USER_TASK","nextStep":"done","boundaryEvents":[)" +
            repeated(count, R"({"type":"TIMER","duration":"PT1S","targetStepId":"done"})") + "]},");
    };
    EXPECT_TRUE(parsed(decision(limits::kBranchesMax)));
    EXPECT_FALSE(parsed(decision(limits::kBranchesMax + 1)));
    EXPECT_TRUE(parsed(gateway(limits::kBranchesMax)));
    EXPECT_FALSE(parsed(gateway(limits::kBranchesMax + 1)));
    EXPECT_TRUE(parsed(timers(limits::kBoundaryEventsMax)));
    EXPECT_FALSE(parsed(timers(limits::kBoundaryEventsMax + 1)));
}

json::Value of_stored_bytes(std::size_t bytes) {
    json::Value document = *json::parse(with_steps(""));
    const auto size = [&] {
        return json::write(with_version(document, 2'147'483'647)).size();
    };
    document.set("description", "x");
    document.set("description", std::string(bytes - size() + 1, 'x'));
    EXPECT_EQ(size(), bytes);
    return document;
}

TEST(ParseDefinition, LimitsTheBytesOfWhatIsStored) {
    const json::Value largest = of_stored_bytes(limits::kDefinitionBytesMax);
    EXPECT_TRUE(parse_definition(largest));
    EXPECT_TRUE(parse_definition(with_version(largest, 1)));
    EXPECT_FALSE(parse_definition(of_stored_bytes(limits::kDefinitionBytesMax + 1)));
}

TEST(ParseDefinition, ListsOnlyTheFirstOfTooManyViolations) {
    std::string steps;
    for (std::size_t i = 1; i <= 500; ++i) steps += task(i, 1'000'000 + i);
    const Result<DefinitionPtr> refused = parsed(with_steps(steps));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().details.size(), limits::kDefinitionProblemsMax);
    EXPECT_TRUE(refused.error().detail.ends_with("\n  and 901 more")) << refused.error().detail;
}

TEST(ParseDefinition, SeesWhetherStepsMayRepeat) {
    const std::string timer_head =
        R"({"id":"a","name":"A","type":"USER_TASK","nextStep":"done","boundaryEvents":[)"
        R"({"type":"TIMER","duration":"PT1S","targetStepId":"done")";
    const std::pair<std::string, bool> cases[] = {
        {"", false},
        {task(1, 2) + task(2, 0), false},
        {R"({"id":"a","name":"A","type":"DECISION","conditionalNextSteps":{"x":"1","y":"2"}},)" +
             task(1, 2) + task(2, 0),
         false},
        {timer_head + R"(,"interrupting":true}]},)", false},
        {timer_head + "}]},", true},
        {R"({"id":"a","name":"A","type":"USER_TASK","nextStep":"done",)"
         R"("conditionalNextSteps":{"again":"a"}},)",
         true},
        {R"({"id":"a","name":"A","type":"PARALLEL_GATEWAY","joinStep":"j",)"
         R"("parallelNextSteps":["j","1"]},{"id":"j","name":"J","type":"JOIN_GATEWAY",)"
         R"("nextStep":"done"},{"id":"1","name":"N","type":"USER_TASK","nextStep":"j"},)",
         true},
    };
    for (const auto& [steps, expected] : cases) {
        EXPECT_EQ(definition_of(with_steps(steps))->steps_may_repeat, expected) << steps;
    }
}

// Ten letters of a regular expression become a program of two thousand instructions.
TEST(ParseDefinition, RefusesExpressionsThatTakeTooMuchMemory) {
    json::Value entries{json::Object{}};
    for (int i = 0; i < 3'000; ++i) {
        entries.set("v" + std::to_string(i), "${s matches \"x{990}y{990}\"}");
    }
    json::Value step{json::Object{}};
    step.set("id", "t");
    step.set("name", "T");
    step.set("type", "TRANSFORMATION");
    step.set("transformations", std::move(entries));
    step.set("nextStep", "end");
    json::Value end{json::Object{}};
    end.set("id", "end");
    end.set("name", "End");
    end.set("type", "END");
    json::Value document{json::Object{}};
    document.set("id", "d");
    document.set("name", "D");
    document.set("steps", json::Array{step, end});
    const auto refused = parse_definition(document);
    ASSERT_FALSE(refused);
    ASSERT_EQ(refused.error().details.size(), 1U);
    EXPECT_EQ(refused.error().details[0].path.find("steps[0].transformations[\"v"), 0U);
    EXPECT_NE(refused.error().details[0].message.find("bytes of memory"), std::string::npos);
    const auto stored = parse_definition(document, UnknownFields::ignore);
    ASSERT_TRUE(stored) << "what was accepted once stays accepted";
}

}  // namespace
}  // namespace millrace

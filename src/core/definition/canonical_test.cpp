#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/definition/parse_definition.hpp"

namespace millrace {
namespace {

constexpr std::string_view kDocument = R"({
    "id": "loan", "version": 4, "name": "Loan", "description": "A loan",
    "autoStartNextWorkflow": true, "nextWorkflowId": "payout",
    "metadata": {"team": "credit", "layout": {"set": [1, 2], "route": [3, 4]}},
    "steps": [
        {"id": "set", "name": "Set", "type": "TRANSFORMATION", "nextStep": "route",
         "transformations": {"b": "${a}", "a": {"y": 1, "x": {"q": 1, "p": 2}}, "c": "${b}"}},
        {"id": "route", "name": "Route", "type": "DECISION",
         "conditionalNextSteps": {"z > 1": "work", "a > 1": "done", "m": "work"}},
        {"id": "work", "name": "Work", "type": "SERVICE_TASK", "jobType": "work",
         "nextStep": "done", "retryCount": 2, "boundaryEvents": [
            {"type": "TIMER", "duration": "P1D", "interrupting": true, "targetStepId": "done"}]},
        {"id": "done", "name": "Done", "type": "END"}
    ]})";

json::Value document() {
    return *json::parse(kDocument);
}

json::Value& member(json::Value& object, std::string_view key) {
    return std::ranges::find(*object.if_object(), key, &json::Member::key)->value;
}

json::Value& step(json::Value& value, std::size_t position) {
    return (*member(value, "steps").if_array())[position];
}

// Shuffles the members of every object but those whose order is meaning.
void shuffle_keys(json::Value& value, std::mt19937& dice, bool is_ordered = false) {
    if (json::Array* items = value.if_array()) {
        for (json::Value& item : *items) shuffle_keys(item, dice);
    }
    if (json::Object* members = value.if_object()) {
        for (json::Member& entry : *members) {
            const bool holds_order =
                entry.key == "conditionalNextSteps" || entry.key == "transformations";
            shuffle_keys(entry.value, dice, holds_order);
        }
        if (!is_ordered) std::ranges::shuffle(*members, dice);
    }
}

RC_GTEST_PROP(CanonicalText, IgnoresTheOrderOfKeys, (unsigned seed)) {
    std::mt19937 dice(seed);
    json::Value shuffled = document();
    shuffle_keys(shuffled, dice);
    RC_ASSERT(canonical_text(shuffled) == canonical_text(document()));
}

RC_GTEST_PROP(CanonicalText, KeepsTheOrderOfBranchesAndTransformations, ()) {
    json::Value swapped = document();
    const bool in_branches = *rc::gen::arbitrary<bool>();
    json::Value& ordered = in_branches ? member(step(swapped, 1), "conditionalNextSteps")
                                       : member(step(swapped, 0), "transformations");
    const std::size_t first = *rc::gen::inRange<std::size_t>(0, 3);
    const std::size_t second = (first + *rc::gen::inRange<std::size_t>(1, 3)) % 3;
    std::swap((*ordered.if_object())[first], (*ordered.if_object())[second]);
    RC_ASSERT(canonical_text(swapped) != canonical_text(document()));
}

TEST(CanonicalText, IsTheSameForTheSameContent) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {R"({"id":"a","version":1})", R"({"id":"a","version":2})"},
        {R"({"id":"a","version":1})", R"({"id":"a"})"},
        {R"({"id":"a"})", R"({"ID":"a"})"},
        {R"({"id":"a","description":null})", R"({"id":"a","description":""})"},
        {R"({"id":"a","metadata":{}})", R"({"id":"a"})"},
        {R"({"id":"a","autoStartNextWorkflow":false})", R"({"id":"a"})"},
        {R"({"steps":[{"retryCount":0}]})", R"({"steps":[{}]})"},
        {R"({"steps":[{"retryCount":3}]})", R"({"steps":[{"retryCount":3.0}]})"},
        {R"({"steps":[{"parallelNextSteps":[],"boundaryEvents":[]}]})", R"({"steps":[{}]})"},
        {R"({"steps":[{"boundaryEvents":[{"interrupting":false}]}]})",
         R"({"steps":[{"boundaryEvents":[{}]}]})"},
        {R"({"metadata":{"x":1}})", R"({"metadata":{"x":1.0}})"},
        {R"({"metadata":{"x":100}})", R"({"metadata":{"x":1e2}})"},
        {R"({"steps":[{"transformations":{"a":{"x":1,"y":2}}}]})",
         R"({"steps":[{"transformations":{"a":{"y":2,"x":1}}}]})"},
        {R"({"metadata":{"conditionalNextSteps":{"a":1,"b":2}}})",
         R"({"metadata":{"conditionalNextSteps":{"b":2,"a":1}}})"},
    };
    for (const auto& [left, right] : cases) {
        EXPECT_EQ(canonical_text(*json::parse(left)), canonical_text(*json::parse(right)));
    }
}

TEST(CanonicalText, DiffersForOtherContent) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {R"({"id":"a"})", R"({"id":"b"})"},
        {R"({"name":"a"})", R"({"description":"a"})"},
        {R"({"metadata":{"x":1}})", R"({"metadata":{"X":1}})"},
        {R"({"metadata":{"x":null}})", R"({"metadata":{"y":null}})"},
        {R"({"metadata":{"x":1}})", R"({"metadata":{"x":"1"}})"},
        {R"({"metadata":{"x":9007199254740993}})", R"({"metadata":{"x":9007199254740992}})"},
        {R"({"metadata":{"x":[1,2]}})", R"({"metadata":{"x":[2,1]}})"},
        {R"({"steps":[{"parallelNextSteps":["a","b"]}]})",
         R"({"steps":[{"parallelNextSteps":["b","a"]}]})"},
        {R"({"steps":[{"transformations":{"a":null}}]})", R"({"steps":[{}]})"},
        {R"({"steps":[{"id":"a"},{"id":"b"}]})", R"({"steps":[{"id":"b"},{"id":"a"}]})"},
        {R"({"steps":[{"boundaryEvents":[{"interrupting":true}]}]})",
         R"({"steps":[{"boundaryEvents":[{}]}]})"},
    };
    for (const auto& [left, right] : cases) {
        EXPECT_NE(canonical_text(*json::parse(left)), canonical_text(*json::parse(right))) << left;
    }
}

TEST(WithVersion, KeepsTheAuthorsOrderAndFillsTheVersionIn) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {R"({"name":"A","id":"a","steps":[{"id":"x"}]})",
         R"({"name":"A","id":"a","version":5,"steps":[{"id":"x"}]})"},
        {R"({"steps":[{"id":"x"}],"Version":2,"id":"a"})",
         R"({"steps":[{"id":"x"}],"version":5,"id":"a"})"},
        {R"({"id":"a","version":0})", R"({"id":"a","version":5})"},
        {R"({"id":"a","version":null,"name":"A"})", R"({"id":"a","version":5,"name":"A"})"},
        {R"({"name":"A"})", R"({"version":5,"name":"A"})"},
        {R"({"ID":"a","METADATA":{"Z":null,"A":0},"Steps":[{"NEXTSTEP":"x"}]})",
         R"({"id":"a","version":5,"metadata":{"Z":null,"A":0},"steps":[{"nextStep":"x"}]})"},
        {R"({"id":"a","description":"","metadata":{},"autoStartNextWorkflow":false})",
         R"({"id":"a","version":5})"},
        {R"({"id":"a","steps":[{"id":"x","retryCount":0,"boundaryEvents":[{"type":"TIMER"}]}]})",
         R"({"id":"a","version":5,"steps":[{"id":"x",)"
         R"("boundaryEvents":[{"type":"TIMER","interrupting":false}]}]})"},
    };
    for (const auto& [sent, stored] : cases) {
        EXPECT_EQ(json::write(with_version(*json::parse(sent), 5)), stored) << sent;
    }
}

TEST(WithVersion, LeavesWhatIsNoObjectAlone) {
    EXPECT_EQ(with_version(json::Array{1}, 5), json::Value(json::Array{1}));
    EXPECT_EQ(canonical_text("text"), "\"text\"");
}

}  // namespace
}  // namespace millrace

#include "engine/audited.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/complete_user_task.hpp"
#include "engine/idempotent.hpp"
#include "engine/signal_wait.hpp"
#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kPeople = R"({"id": "people", "name": "P", "steps": [
    {"id": "approve", "name": "A", "type": "USER_TASK", "nextStep": "wait"},
    {"id": "wait", "name": "W", "type": "WAIT", "nextStep": "end"},
    {"id": "end", "name": "E", "type": "END"}]})";

class AuditedTest : public testing::Test {
protected:
    template <class Request>
    Audited<Request> audited(Request request) {
        return {std::move(request),
                AuditTrail{{{Id128::for_instance(clock_.now(), ++random_)}, kWorkspace}, actor_}};
    }

    UploadDefinition upload() { return *make_upload(kWorkspace, json_of(kPeople)); }

    StartInstance start() {
        return {.key = {{Id128::for_instance(clock_.now(), ++random_)}, kWorkspace},
                .definition_id = "people"};
    }

    // Oldest first.
    std::vector<AuditEntry> entries() {
        auto found = node_.reader().audit({kWorkspace}, {})->items;
        std::ranges::reverse(found);
        return found;
    }

    FakeClock clock_{kNoon};
    MemoryDatabase database_;
    TestNode node_{database_, clock_};
    Actor actor_{"k1", "ci", "10.0.0.1", "r-1"};
    std::uint64_t random_ = 0;
};

TEST_F(AuditedTest, EachCommandLeavesItsNote) {
    ASSERT_TRUE(node_.run(audited(upload())));
    clock_.advance(1s);
    const auto started = node_.run(audited(start()));
    ASSERT_TRUE(started);
    const InstanceKey key = started->key;
    ASSERT_TRUE(node_.run(audited(CompleteUserTask{.instance = key,
                                                   .step_id = "approve",
                                                   .variables = json_of(R"({"secret": "s"})"),
                                                   .completed_by = "ada"})));
    ASSERT_TRUE(node_.run(audited(SignalWait{
        .instance = key, .step_id = "wait", .variables = json_of(R"({"a": 1, "b": 2})")})));
    const auto second = node_.run(audited(start()));
    ASSERT_TRUE(second);
    ASSERT_TRUE(node_.run(audited(CancelInstance{.instance = second->key, .reason = "why"})));
    ASSERT_FALSE(node_.run(audited(CancelInstance{.instance = second->key})));

    struct Row {
        AuditKind kind;
        std::optional<InstanceId> instance_id;
        const char* subject;
        const char* details;
    };
    using enum AuditKind;
    const Row rows[] = {
        {definition_uploaded, {}, "people", R"({"version":1})"},
        {instance_started, key.id, "", R"({"definitionId":"people","definitionVersion":1})"},
        {user_task_completed, key.id, "approve", R"({"completedBy":"ada","variables":["secret"]})"},
        {signal_received, key.id, "wait", R"({"variables":["a","b"]})"},
        {instance_started, second->key.id, "",
         R"({"definitionId":"people","definitionVersion":1})"},
        {instance_cancelled, second->key.id, "", R"({"reason":"why"})"},
    };
    const std::vector<AuditEntry> found = entries();
    ASSERT_EQ(found.size(), std::size(rows));
    for (std::size_t i = 0; i < found.size(); ++i) {
        SCOPED_TRACE(i);
        EXPECT_EQ(found[i].kind, rows[i].kind);
        EXPECT_EQ(found[i].instance_id, rows[i].instance_id);
        EXPECT_EQ(found[i].subject, rows[i].subject);
        EXPECT_EQ(found[i].details, rows[i].details);
        EXPECT_EQ(found[i].actor, actor_);
        EXPECT_EQ(found[i].at, i == 0 ? kNoon : kNoon + 1s);
    }
}

TEST_F(AuditedTest, WhatChangesNothingLeavesNothing) {
    ASSERT_TRUE(node_.run(audited(upload())));
    ASSERT_TRUE(node_.run(audited(upload()))) << "the same content once more";
    EXPECT_FALSE(node_.run(audited(CancelInstance{.instance = {{}, kWorkspace}})));
    EXPECT_EQ(entries().size(), 1u);
}

TEST_F(AuditedTest, WithoutATrailThereIsNoEntry) {
    ASSERT_TRUE(node_.run(Audited<UploadDefinition>{.request = upload()}));
    EXPECT_TRUE(entries().empty());
}

TEST_F(AuditedTest, ARepetitionUnderAKeyLeavesNoSecondEntry) {
    ASSERT_TRUE(node_.run(upload()));
    std::optional<InstanceId> first;
    for (int n = 0; n < 2; ++n) {
        const auto started = node_.run(Idempotent<Audited<StartInstance>>{
            .request = audited(start()),
            .key = IdempotencyKey{kWorkspace, std::string(StartInstance::kName), "k"},
        });
        ASSERT_TRUE(started);
        if (started->answer) first = started->answer->key.id;
        const InstanceId known = started->answer ? *first : started->instance_id.value();
        EXPECT_EQ(known, *first);
    }
    EXPECT_EQ(entries().size(), 1u);
}

TEST(AuditNoteTest, NamesOfVariablesHaveALimit) {
    json::Object many;
    for (std::size_t n = 0; n <= limits::kAuditNamesMax; ++n)
        many.push_back({std::to_string(n), 1});
    EXPECT_EQ(variable_names(many).if_array()->size(), limits::kAuditNamesMax);
    EXPECT_TRUE(variable_names(json::Object{}).is_null());
    EXPECT_TRUE(variable_names(nullptr).is_null());
    EXPECT_EQ(details_text({{"a", nullptr}, {"b", "x"}, {"c", nullptr}}), R"({"b":"x"})");
    EXPECT_EQ(details_text({{"a", nullptr}}), "");
}

}  // namespace
}  // namespace millrace

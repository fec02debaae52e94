#include "store/list_texts.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

using Text = std::optional<std::string>;

TEST(ListTexts, PutStatusesBetweenCommas) {
    struct Row {
        std::vector<InstanceStatus> statuses;
        Text text;
    };
    const Row rows[] = {
        {{}, std::nullopt},
        {{InstanceStatus::failed}, ",FAILED,"},
        {{InstanceStatus::failed, InstanceStatus::cancelled}, ",FAILED,CANCELLED,"},
        {{InstanceStatus::active, InstanceStatus::waiting, InstanceStatus::completed},
         ",ACTIVE,WAITING,COMPLETED,"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(statuses_text(InstanceFilter{.statuses = row.statuses}), row.text);
    }
}

TEST(ListTexts, PutStatusesOfExecutionsBetweenCommas) {
    EXPECT_EQ(statuses_text(ExecutionFilter{}), std::nullopt);
    EXPECT_EQ(
        statuses_text(ExecutionFilter{.statuses = {QueueStatus::pending, QueueStatus::failed}}),
        ",PENDING,FAILED,");
}

TEST(ListTexts, PutKindsBetweenCommas) {
    EXPECT_EQ(kinds_text({}), std::nullopt);
    EXPECT_EQ(kinds_text({.kinds = {AuditKind::key_created, AuditKind::instance_retried}}),
              ",KEY_CREATED,INSTANCE_RETRIED,");
}

TEST(ListTexts, PutAGroupBetweenLineEnds) {
    EXPECT_EQ(group_pattern({}), std::nullopt);
    EXPECT_EQ(group_pattern({.candidate_group = "clerks"}), "\nclerks\n");
    EXPECT_EQ(group_pattern({.candidate_group = ""}), "\n\n");
}

}  // namespace
}  // namespace millrace

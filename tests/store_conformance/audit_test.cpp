// What stores promise about audit entries: appended with their batch, read newest first by filters.

#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

AuditKey audit_key(std::uint64_t n) {
    return {.id = {Id128::for_instance(kNoon, n)}, .workspace_id = kWorkspace};
}

AuditEntry audit_entry(std::uint64_t n, AuditKind kind = AuditKind::instance_started) {
    AuditEntry entry{.key = audit_key(n), .at = kNoon + std::chrono::seconds{n}, .kind = kind};
    // The entry of a start has the id of its instance.
    if (kind == AuditKind::instance_started) entry.instance_id = InstanceId{entry.key.id.value};
    return entry;
}

class AuditConformance : public StoreTest {
protected:
    // Numbers of entries whose keys audit_key() made.
    std::vector<std::uint64_t> numbers(const AuditFilter& filter, const Page& page = {}) {
        const auto listing = reader_->audit(filter, page);
        EXPECT_TRUE(listing);
        std::vector<std::uint64_t> found;
        for (const AuditEntry& entry : listing->items) {
            for (std::uint64_t n = 0; n < 100; ++n) {
                if (audit_key(n).id == entry.key.id) found.push_back(n);
            }
        }
        return found;
    }
};

using Numbers = std::vector<std::uint64_t>;

TEST_P(AuditConformance, GivesBackWhatWasWritten) {
    AuditEntry full = audit_entry(1, AuditKind::signal_received);
    full.actor = {"k1", "Größe", "10.0.0.1", "r-1"};
    full.instance_id = instance_key(7).id;
    full.subject = "shipped";
    full.details = R"({"variables":["by"]})";
    ASSERT_TRUE(write({.audit_entries = {full, audit_entry(2)}}));
    const auto listing = reader_->audit({kWorkspace}, {});
    ASSERT_TRUE(listing);
    EXPECT_EQ(listing->items, (std::vector{audit_entry(2), full}));
    EXPECT_EQ(listing->total, 2);
    EXPECT_FALSE(listing->has_more);
}

TEST_P(AuditConformance, IsThereIfAndOnlyIfItsBatchIs) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}}));
    EXPECT_EQ(
        code_of(write({.instances_new = {waiting_instance(1)}, .audit_entries = {audit_entry(1)}})),
        ErrorCode::data_refused);
    EXPECT_EQ(numbers({kWorkspace}), Numbers{});
}

TEST_P(AuditConformance, RefusesAnEntryThatExistsAndOneThatIsNoText) {
    ASSERT_TRUE(write({.audit_entries = {audit_entry(1)}}));
    EXPECT_EQ(code_of(write({.audit_entries = {audit_entry(1)}})), ErrorCode::data_refused);
    AuditEntry broken = audit_entry(2);
    broken.actor.key_name = "\xFF";
    EXPECT_EQ(code_of(write({.audit_entries = {broken}})), ErrorCode::data_refused);
    EXPECT_EQ(numbers({kWorkspace}), Numbers{1});
}

TEST_P(AuditConformance, Filters) {
    const auto make = [](std::uint64_t n, AuditKind kind, const char* key_id,
                         std::optional<std::uint64_t> instance) {
        AuditEntry entry = audit_entry(n, kind);
        entry.actor.key_id = key_id;
        if (instance) entry.instance_id = instance_key(*instance).id;
        return entry;
    };
    using enum AuditKind;
    ASSERT_TRUE(write(
        {.audit_entries = {make(1, definition_uploaded, "a", {}), make(2, instance_started, "a", 1),
                           make(3, instance_started, "", 2), make(4, instance_cancelled, "b", 1),
                           moved_away(make(5, instance_started, "a", 1))}}));
    struct Row {
        AuditFilter filter;
        Numbers expected;
    };
    const Row rows[] = {
        {{.workspace_id = kWorkspace}, {4, 3, 2, 1}},
        {{.workspace_id = {"none"}}, {}},
        {{.workspace_id = kWorkspace, .kinds = {instance_started}}, {3, 2}},
        {{.workspace_id = kWorkspace, .kinds = {definition_uploaded, instance_cancelled}}, {4, 1}},
        {{.workspace_id = kWorkspace, .kinds = {backup_taken}}, {}},
        {{.workspace_id = kWorkspace, .key_id = "a"}, {2, 1}},
        {{.workspace_id = kWorkspace, .key_id = ""}, {}},
        {{.workspace_id = kWorkspace, .instance_id = instance_key(1).id}, {4, 2}},
        {{.workspace_id = kWorkspace, .instance_id = instance_key(9).id}, {}},
        {{.workspace_id = kWorkspace,
          .kinds = {instance_started},
          .instance_id = instance_key(1).id},
         {2}},
        {{.workspace_id = kWorkspace, .since = kNoon + 2s}, {4, 3, 2}},
        {{.workspace_id = kWorkspace, .until = kNoon + 2s}, {1}},
        {{.workspace_id = kWorkspace, .since = kNoon + 2s, .until = kNoon + 4s}, {3, 2}},
        {{.workspace_id = kWorkspace, .key_id = "b", .since = kNoon + 5s}, {}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(&row - rows);
        EXPECT_EQ(numbers(row.filter), row.expected);
        EXPECT_EQ(reader_->audit(row.filter, {})->total, std::ssize(row.expected));
    }
}

TEST_P(AuditConformance, FindsTheStartOfAnInstanceByItsOwnId) {
    AuditEntry cancelled = audit_entry(9, AuditKind::instance_cancelled);
    cancelled.instance_id = InstanceId{audit_key(2).id.value};
    ASSERT_TRUE(write({.audit_entries = {audit_entry(1), audit_entry(2), cancelled}}));
    const AuditFilter filter{.workspace_id = kWorkspace, .instance_id = cancelled.instance_id};
    EXPECT_EQ(numbers(filter), (Numbers{9, 2}));
    EXPECT_EQ(reader_->audit(filter, {})->items.back(), audit_entry(2));
}

TEST_P(AuditConformance, PagesByNumberAndByPlace) {
    Writes writes;
    for (std::uint64_t n = 1; n <= 5; ++n) writes.audit_entries.push_back(audit_entry(n));
    ASSERT_TRUE(write(writes));
    const AuditFilter all{.workspace_id = kWorkspace};
    EXPECT_EQ(numbers(all, {0, 2}), (Numbers{5, 4}));
    EXPECT_EQ(numbers(all, {2, 2}), Numbers{1});
    const Page behind_four{.size = 2, .after = to_string(audit_key(4).id.value)};
    EXPECT_EQ(numbers(all, behind_four), (Numbers{3, 2}));
    EXPECT_TRUE(reader_->audit(all, behind_four)->has_more);
    EXPECT_EQ(reader_->audit(all, behind_four)->total, 5);
    EXPECT_FALSE(
        reader_->audit(all, {.size = 2, .after = to_string(audit_key(3).id.value)})->has_more);
    EXPECT_EQ(code_of(reader_->audit(all, {.after = "nonsense"})), ErrorCode::invalid_argument);
}

MILLRACE_FOR_ALL_STORES(AuditConformance);

}  // namespace
}  // namespace millrace

// The definition of Reader.

#include "core/limits.hpp"
#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

class ReaderConformance : public StoreTest {
protected:
    std::vector<std::string> definition_ids(const std::string& keyword, Page page = {}) {
        const auto listing = reader_->definitions({kWorkspace, keyword}, page);
        EXPECT_TRUE(listing);
        std::vector<std::string> ids;
        for (const DefinitionSummary& item : listing->items) ids.push_back(item.id);
        return ids;
    }

    // Numbers of instances whose keys instance_key() made.
    std::vector<std::uint64_t> instance_numbers(const InstanceFilter& filter, Page page = {}) {
        const auto listing = reader_->instances(filter, page);
        EXPECT_TRUE(listing);
        std::vector<std::uint64_t> numbers;
        for (const Instance& item : listing->items) {
            for (std::uint64_t n = 0; n < 100; ++n) {
                if (instance_key(n).id == item.key.id) numbers.push_back(n);
            }
        }
        return numbers;
    }
};

using Numbers = std::vector<std::uint64_t>;
using Ids = std::vector<std::string>;

DefinitionRecord named(std::string id, std::string name, std::int32_t version = 1) {
    DefinitionRecord record = definition_record(std::move(id), version);
    record.name = std::move(name);
    return record;
}

TEST_P(ReaderConformance, ReadsADefinitionOrItsLatestVersion) {
    const DefinitionRecord first = definition_record("order", 1);
    const DefinitionRecord tenth = named("order", "Größe 日本語", 10);
    ASSERT_TRUE(write({.definitions = {first, definition_record("order", 9), tenth}}));
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 1), first);
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 0), tenth);
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 2), std::nullopt);
    EXPECT_EQ(*reader_->definition(kWorkspace, "none", 0), std::nullopt);
    EXPECT_EQ(*reader_->definition(kOtherWorkspace, "order", 0), std::nullopt);
}

TEST_P(ReaderConformance, ListsTheHighestVersionOfEachDefinitionById) {
    DefinitionRecord foreign = definition_record("foreign");
    foreign.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(write({.definitions = {named("b", "B"), named("b", "B two", 2), named("a", "A"),
                                       named("Z", "Zed"), foreign}}));
    const auto listing = reader_->definitions({kWorkspace, ""}, {});
    ASSERT_TRUE(listing);
    const std::vector<DefinitionSummary> expected{
        {"Z", 1, "Zed", kNoon}, {"a", 1, "A", kNoon}, {"b", 2, "B two", kNoon}};
    EXPECT_EQ(listing->items, expected);
    EXPECT_EQ(listing->total, 3);
    EXPECT_FALSE(listing->total_capped);
}

TEST_P(ReaderConformance, PagesDefinitions) {
    ASSERT_TRUE(write({.definitions = {named("a", ""), named("b", ""), named("c", "")}}));
    EXPECT_EQ(definition_ids("", {0, 2}), (Ids{"a", "b"}));
    EXPECT_EQ(definition_ids("", {1, 2}), Ids{"c"});
    EXPECT_EQ(definition_ids("", {2, 2}), Ids{});
    EXPECT_EQ(reader_->definitions({kWorkspace, ""}, {2, 2})->total, 3);
}

TEST_P(ReaderConformance, FindsDefinitionsByPartOfIdOrNameWithoutWildcards) {
    ASSERT_TRUE(write({.definitions = {named("order", "Bestellung"), named("ship_it", "100% fast"),
                                       named("shipXit", "Äpfel"), named("old", "match"),
                                       named("old", "renamed", 2)}}));
    EXPECT_EQ(definition_ids("DER"), Ids{"order"});
    EXPECT_EQ(definition_ids("bestell"), Ids{"order"});
    EXPECT_EQ(definition_ids("p_i"), Ids{"ship_it"});
    EXPECT_EQ(definition_ids("0%"), Ids{"ship_it"});
    EXPECT_EQ(definition_ids("Äpf"), Ids{"shipXit"});
    EXPECT_EQ(definition_ids("\\"), Ids{});
    EXPECT_EQ(definition_ids("match"), Ids{});
    EXPECT_EQ(reader_->definitions({kWorkspace, "SHIP"}, {0, 1})->total, 2);
}

TEST_P(ReaderConformance, ReadsAnInstance) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}}));
    EXPECT_EQ(*reader_->instance(instance_key(1)), waiting_instance(1));
    EXPECT_EQ(*reader_->instance(instance_key(2)), std::nullopt);
    EXPECT_EQ(*reader_->instance(moved_away(waiting_instance(1)).key), std::nullopt);
}

TEST_P(ReaderConformance, FindsTheWorkspaceOfAnInstanceByItsIdAlone) {
    using Found = std::optional<WorkspaceId>;
    EXPECT_EQ(*reader_->workspace_of_instance(instance_key(1).id), Found{});
    Instance in_third = waiting_instance(3);
    in_third.key.workspace_id = {"zeta"};
    ASSERT_TRUE(
        write({.instances_new = {waiting_instance(1), moved_away(waiting_instance(2)), in_third}}));
    EXPECT_EQ(*reader_->workspace_of_instance(instance_key(1).id), Found{kWorkspace});
    EXPECT_EQ(*reader_->workspace_of_instance(instance_key(2).id), Found{kOtherWorkspace});
    EXPECT_EQ(*reader_->workspace_of_instance(instance_key(3).id), Found{{"zeta"}});
    EXPECT_EQ(*reader_->workspace_of_instance(instance_key(4).id), Found{});
}

TEST_P(ReaderConformance, ListsInstancesNewestFirst) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1), waiting_instance(2),
                                         waiting_instance(3), moved_away(waiting_instance(4))}}));
    EXPECT_EQ(instance_numbers({kWorkspace}), (Numbers{3, 2, 1}));
    EXPECT_EQ(instance_numbers({kWorkspace}, {0, 2}), (Numbers{3, 2}));
    EXPECT_EQ(instance_numbers({kWorkspace}, {1, 2}), Numbers{1});
    EXPECT_EQ(reader_->instances({kWorkspace}, {1, 2})->total, 3);
    EXPECT_EQ(reader_->instances({kWorkspace}, {})->items.at(0), waiting_instance(3));
}

TEST_P(ReaderConformance, FiltersInstances) {
    const auto make = [](std::uint64_t n, const char* definition, InstanceStatus status,
                         const char* business_key) {
        Instance instance = waiting_instance(n, {1, definition, 1});
        instance.status = status;
        instance.business_key = business_key;
        return instance;
    };
    using enum InstanceStatus;
    ASSERT_TRUE(write(
        {.instances_new = {make(1, "a", waiting, "k"), make(2, "a", failed, ""),
                           make(3, "b", waiting, "k"), make(4, "b", failed, "l"),
                           moved_away(make(5, "a", waiting, "k")), make(6, "a", waiting, "")}}));
    struct Row {
        InstanceFilter filter;
        Numbers expected;
    };
    const Row rows[] = {
        {{.workspace_id = kWorkspace}, {6, 4, 3, 2, 1}},
        {{.workspace_id = kWorkspace, .definition_id = "a"}, {6, 2, 1}},
        {{.workspace_id = kWorkspace, .definition_id = "none"}, {}},
        {{.workspace_id = kWorkspace, .statuses = {waiting}}, {6, 3, 1}},
        {{.workspace_id = kWorkspace, .statuses = {cancelled}}, {}},
        {{.workspace_id = kWorkspace, .statuses = {cancelled, failed, waiting}}, {6, 4, 3, 2, 1}},
        {{.workspace_id = kWorkspace, .business_key = "k"}, {3, 1}},
        {{.workspace_id = kWorkspace, .business_key = ""}, {}},
        {{.workspace_id = kWorkspace, .definition_id = "a", .statuses = {waiting}}, {6, 1}},
        {{.workspace_id = kWorkspace, .definition_id = "b", .business_key = "k"}, {3}},
        {{.workspace_id = kWorkspace, .statuses = {failed}, .business_key = "l"}, {4}},
        {{.workspace_id = kWorkspace,
          .definition_id = "a",
          .statuses = {failed},
          .business_key = "k"},
         {}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(&row - rows);
        EXPECT_EQ(instance_numbers(row.filter), row.expected);
        EXPECT_EQ(reader_->instances(row.filter, {})->total, std::ssize(row.expected));
    }
}

TEST_P(ReaderConformance, FiltersInstancesByWhatTheyAreAndWhen) {
    Instance first = waiting_instance(1, {1, "a", 1});
    first.variables = Variables::from_text(R"({"city":"Bremen 100%"})");
    Instance second = waiting_instance(2, {2, "a", 2});
    second.started_at = kNoon + 1s;
    second.state.is_suspended = true;
    second.failure_reason = "the card_was refused";
    Instance third = waiting_instance(3, {3, "border", 1});
    third.started_at = kNoon + 2s;
    third.business_key = "ORDER-7";
    ASSERT_TRUE(write({.instances_new = {first, second, third}}));
    struct Row {
        InstanceFilter filter;
        Numbers expected;
    };
    const Row rows[] = {
        {{.workspace_id = kWorkspace, .definition_id = "a", .definition_version = 2}, {2}},
        {{.workspace_id = kWorkspace, .definition_version = 1}, {3, 1}},
        {{.workspace_id = kWorkspace, .started_from = kNoon + 1s}, {3, 2}},
        {{.workspace_id = kWorkspace, .started_before = kNoon + 1s}, {1}},
        {{.workspace_id = kWorkspace, .started_from = kNoon + 1s, .started_before = kNoon + 2s},
         {2}},
        {{.workspace_id = kWorkspace, .is_suspended = true}, {2}},
        {{.workspace_id = kWorkspace, .is_suspended = false}, {3, 1}},
        {{.workspace_id = kWorkspace, .text = "bremen 100%"}, {1}},
        {{.workspace_id = kWorkspace, .text = "CARD_WAS"}, {2}},
        {{.workspace_id = kWorkspace, .text = "order"}, {3}},
        {{.workspace_id = kWorkspace, .text = "none of it"}, {}},
        {{.workspace_id = kWorkspace, .definition_id = "a", .oldest_first = true}, {1, 2}},
        {{.workspace_id = kWorkspace, .business_key = "ORDER-7", .oldest_first = true}, {3}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(&row - rows);
        EXPECT_EQ(instance_numbers(row.filter), row.expected);
        EXPECT_EQ(reader_->instances(row.filter, {})->total, std::ssize(row.expected));
    }
}

TEST_P(ReaderConformance, GoesOnAfterAnItem) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1), waiting_instance(2),
                                         waiting_instance(3), waiting_instance(4)}}));
    const auto after = [](std::uint64_t n) {
        return Page{0, 2, to_string(instance_key(n).id.value)};
    };
    EXPECT_EQ(instance_numbers({kWorkspace}, after(4)), (Numbers{3, 2}));
    EXPECT_EQ(instance_numbers({kWorkspace}, after(2)), Numbers{1});
    EXPECT_TRUE(reader_->instances({kWorkspace}, {0, 3})->has_more);
    EXPECT_FALSE(reader_->instances({kWorkspace}, {0, 4})->has_more);
    EXPECT_TRUE(reader_->instances({kWorkspace}, after(4))->has_more);
    EXPECT_FALSE(reader_->instances({kWorkspace}, after(3))->has_more);
    EXPECT_EQ(reader_->instances({kWorkspace}, after(2))->total, 4);
    const InstanceFilter upwards{.workspace_id = kWorkspace, .oldest_first = true};
    EXPECT_EQ(instance_numbers(upwards, after(2)), (Numbers{3, 4}));
    EXPECT_EQ(code_of(reader_->instances({kWorkspace}, Page{0, 2, "nonsense"})),
              ErrorCode::invalid_argument);
}

TEST_P(ReaderConformance, EndsAPageWithTheInstanceThatReachesItsBytes) {
    std::vector<Instance> instances;
    for (std::uint64_t n = 1; n <= 6; ++n) {
        instances.push_back(waiting_instance(n));
        instances.back().variables =
            Variables::from_text(R"({"a":")" + std::string(100'000, 'x') + R"("})");
    }
    ASSERT_TRUE(write({.instances_new = instances}));
    for (const bool oldest_first : {false, true}) {
        const InstanceFilter filter{.workspace_id = kWorkspace, .oldest_first = oldest_first};
        Numbers seen;
        Numbers sizes;
        Page page{.size = 500, .bytes_max = 250'000};
        for (bool has_more = true; has_more;) {
            const auto listing = reader_->instances(filter, page);
            ASSERT_TRUE(listing);
            ASSERT_FALSE(listing->items.empty());
            EXPECT_EQ(listing->total, 6);
            sizes.push_back(listing->items.size());
            for (const std::uint64_t number : instance_numbers(filter, page)) {
                seen.push_back(number);
            }
            has_more = listing->has_more;
            page.after = to_string(listing->items.back().key.id.value);
        }
        EXPECT_EQ(sizes, (Numbers{3, 3})) << "And no empty page at the end.";
        EXPECT_EQ(seen, oldest_first ? (Numbers{1, 2, 3, 4, 5, 6}) : (Numbers{6, 5, 4, 3, 2, 1}));
    }
    EXPECT_EQ(instance_numbers({kWorkspace}, {.size = 500, .bytes_max = 1}), Numbers{6});
    EXPECT_EQ(instance_numbers({kWorkspace}, {.number = 1, .size = 2, .bytes_max = 1}), Numbers{4});
}

TEST_P(ReaderConformance, ListsTheVersionsOfADefinitionNewestFirst) {
    ASSERT_TRUE(write({.definitions = {named("a", "one", 1), named("a", "two", 2),
                                       named("a", "three", 3), named("b", "other", 7)}}));
    const auto versions = [&](Page page) {
        const auto listing = reader_->definition_versions(kWorkspace, "a", page);
        EXPECT_TRUE(listing);
        EXPECT_EQ(listing->total, 3);
        std::vector<std::int32_t> found;
        for (const DefinitionSummary& item : listing->items) found.push_back(item.version);
        return found;
    };
    EXPECT_EQ(versions({}), (std::vector{3, 2, 1}));
    EXPECT_EQ(versions({0, 2}), (std::vector{3, 2}));
    EXPECT_EQ(versions({0, 2, "2"}), std::vector{1});
    EXPECT_EQ(reader_->definition_versions(kWorkspace, "none", {})->items.size(), 0u);
}

TEST_P(ReaderConformance, GoesOnAfterADefinition) {
    ASSERT_TRUE(write({.definitions = {named("a", ""), named("b", ""), named("c", "")}}));
    EXPECT_EQ(definition_ids("", {0, 2, "a"}), (Ids{"b", "c"}));
    EXPECT_EQ(reader_->definitions({kWorkspace, ""}, {0, 2, "a"})->total, 3);
    EXPECT_TRUE(reader_->definitions({kWorkspace, ""}, {0, 1, "a"})->has_more);
    EXPECT_FALSE(reader_->definitions({kWorkspace, ""}, {0, 2, "a"})->has_more);
}

TEST_P(ReaderConformance, ListsOpenJobs) {
    Job locked = locked_job(2);
    locked.variables = Variables::from_text(R"({"large":true})");
    Job kept_back = locked_job(3);
    kept_back.lease->worker_id = {};
    Job other = unlocked_job(4);
    other.job_type = {"other"};
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1), locked, kept_back, other}}));
    struct Row {
        JobFilter filter;
        Numbers expected;
    };
    const Row rows[] = {
        {{.workspace_id = kWorkspace}, {1, 2, 3, 4}},
        {{.workspace_id = kOtherWorkspace}, {}},
        {{.workspace_id = kWorkspace, .instance_id = instance_key(2).id}, {2}},
        {{.workspace_id = kWorkspace, .job_type = "other"}, {4}},
        {{.workspace_id = kWorkspace, .status = JobState::unlocked}, {1, 3, 4}},
        {{.workspace_id = kWorkspace, .status = JobState::locked}, {2}},
        {{.workspace_id = kWorkspace, .worker_id = kWorker.value}, {2}},
        {{.workspace_id = kWorkspace, .worker_id = "nobody"}, {}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(&row - rows);
        const auto listing = reader_->jobs(row.filter, {});
        ASSERT_TRUE(listing);
        Numbers found;
        for (const Job& job : listing->items) {
            for (std::uint64_t n = 1; n < 5; ++n) {
                if (job_key(n) == job.key) found.push_back(n);
            }
        }
        EXPECT_EQ(found, row.expected);
        EXPECT_EQ(listing->total, std::ssize(row.expected));
    }
    const auto rest = reader_->jobs({kWorkspace}, {0, 2, to_string(job_key(1).id.value)});
    EXPECT_EQ(rest->items.at(0).key, job_key(2));
    EXPECT_EQ(rest->items.at(0).variables, std::nullopt) << "They can be large.";
    EXPECT_TRUE(rest->has_more);
    EXPECT_EQ(rest->total, 4);
}

TEST_P(ReaderConformance, ListsUserTasksNewestFirst) {
    const auto make = [](std::uint64_t n, const char* assignee, std::vector<std::string> groups) {
        UserTask task = open_user_task(n);
        task.assignee = assignee;
        task.candidate_groups = std::move(groups);
        return task;
    };
    UserTask done = make(4, "ada", {});
    done.status = UserTaskState::completed;
    done.step_id = "sign";
    UserTask foreign = make(5, "ada", {});
    foreign.key.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(write({.user_tasks_new = {make(1, "", {"clerks", "the boss"}), make(2, "ada", {}),
                                          make(3, "", {"clerks and friends"}), done, foreign}}));
    struct Row {
        UserTaskFilter filter;
        Numbers expected;
    };
    using enum UserTaskState;
    const Row rows[] = {
        {{.workspace_id = kWorkspace}, {4, 3, 2, 1}},
        {{.workspace_id = kWorkspace, .status = open}, {3, 2, 1}},
        {{.workspace_id = kWorkspace, .status = completed}, {4}},
        {{.workspace_id = kWorkspace, .instance_id = instance_key(2).id}, {2}},
        {{.workspace_id = kWorkspace, .definition_id = "none"}, {}},
        {{.workspace_id = kWorkspace, .step_id = "sign"}, {4}},
        {{.workspace_id = kWorkspace, .assignee = "ada"}, {4, 2}},
        {{.workspace_id = kWorkspace, .status = open, .assignee = ""}, {3, 1}},
        {{.workspace_id = kWorkspace, .candidate_group = "clerks"}, {1}},
        {{.workspace_id = kWorkspace, .status = open, .candidate_group = "the boss"}, {1}},
        {{.workspace_id = kWorkspace, .candidate_group = "boss"}, {}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(&row - rows);
        const auto listing = reader_->user_tasks(row.filter, {});
        ASSERT_TRUE(listing);
        Numbers found;
        for (const UserTask& task : listing->items) {
            for (std::uint64_t n = 1; n < 6; ++n) {
                if (user_task_key(n).id == task.key.id) found.push_back(n);
            }
        }
        EXPECT_EQ(found, row.expected);
        EXPECT_EQ(listing->total, std::ssize(row.expected));
    }
    const auto rest =
        reader_->user_tasks({kWorkspace}, {0, 2, to_string(user_task_key(4).id.value)});
    EXPECT_EQ(rest->items.at(0).key, user_task_key(3));
    EXPECT_TRUE(rest->has_more);
}

TEST_P(ReaderConformance, CountsExactlyUpToALimit) {
    const auto add = [&](std::int64_t from, std::int64_t to) {
        Writes writes;
        for (std::int64_t n = from; n < to; ++n) {
            writes.instances_new.push_back(waiting_instance(static_cast<std::uint64_t>(n)));
        }
        return write(writes);
    };
    ASSERT_TRUE(add(0, limits::kTotalExactMax));
    EXPECT_EQ(reader_->instances({kWorkspace}, {0, 1})->total, limits::kTotalExactMax);
    EXPECT_FALSE(reader_->instances({kWorkspace}, {0, 1})->total_capped);

    ASSERT_TRUE(add(limits::kTotalExactMax, limits::kTotalExactMax + 1));
    EXPECT_EQ(reader_->instances({kWorkspace}, {0, 1})->total, limits::kTotalExactMax);
    EXPECT_TRUE(reader_->instances({kWorkspace}, {0, 1})->total_capped);
}

TEST_P(ReaderConformance, ReadsTheHistoryOfAnInstanceInOrder) {
    constexpr std::uint32_t kLast = 0xFFFF'FFFF;
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1), waiting_instance(2)},
                       .step_executions = {closed_step(0, kLast), closed_step(1, 1),
                                           closed_step(1, 5), closed_step(1, kLast),
                                           closed_step(2, 1), moved_away(closed_step(1, 3))}}));
    const auto history = *reader_->history(instance_key(1));
    ASSERT_TRUE(history);
    EXPECT_EQ(history->instance, waiting_instance(1));
    EXPECT_EQ(history->closed,
              (std::vector{closed_step(1, 1), closed_step(1, 5), closed_step(1, kLast)}));
    EXPECT_FALSE(*reader_->history(instance_key(0)));
    EXPECT_FALSE(*reader_->history(moved_away(waiting_instance(1)).key));
}

TEST_P(ReaderConformance, ReadsAHistoryInPartsByNumberAndSize) {
    std::vector<StepExecution> lines;
    for (std::uint32_t sequence = 1; sequence <= 6; ++sequence) {
        StepExecution line = closed_step(1, sequence);
        line.failure_reason = std::string(1'000, 'x');
        line.tries.clear();
        lines.push_back(line);
    }
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}, .step_executions = lines}));
    struct Row {
        HistoryPart part;
        std::size_t first;
        std::size_t count;
        bool has_more;
    };
    const Row rows[] = {
        {{}, 0, 6, false},
        {{.count_max = 2}, 0, 2, true},
        {{.after = 2, .count_max = 4}, 2, 4, false},
        {{.bytes_max = 2'500}, 0, 3, true},
        {{.after = 3, .bytes_max = 2'500}, 3, 3, false},
        {{.bytes_max = 1}, 0, 1, true},
        {{.after = 6}, 6, 0, false},
    };
    for (const Row& row : rows) {
        const auto history = *reader_->history(instance_key(1), row.part);
        ASSERT_TRUE(history);
        const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(row.first);
        EXPECT_EQ(history->closed,
                  std::vector(begin, begin + static_cast<std::ptrdiff_t>(row.count)));
        EXPECT_EQ(history->has_more, row.has_more) << row.first << "+" << row.count;
    }
}

TEST_P(ReaderConformance, ReadsOpenJobs) {
    ASSERT_TRUE(write({.jobs_new = {locked_job(1)}}));
    EXPECT_EQ(*reader_->job(job_key(1)), locked_job(1));
    EXPECT_EQ(*reader_->job(moved_away(locked_job(1)).key), std::nullopt);
    ASSERT_TRUE(write({.jobs_removed = {job_key(1)}}));
    EXPECT_EQ(*reader_->job(job_key(1)), std::nullopt);
}

TEST_P(ReaderConformance, ListsDueTimersTheLongestOverdueFirst) {
    EXPECT_EQ(*reader_->next_timer(Instant{}), std::nullopt);
    const Timer foreign = moved_away(Timer{timer_key(2), kNoon - 2s});
    ASSERT_TRUE(write({.timers_new = {{timer_key(1), kNoon},
                                      foreign,
                                      {timer_key(3, 4), kNoon - 1s},
                                      {timer_key(3), kNoon - 1s},
                                      {timer_key(4), kNoon + 1us}}}));
    EXPECT_EQ(*reader_->due_timers(kNoon, 9),
              (std::vector{foreign.key, timer_key(3), timer_key(3, 4), timer_key(1)}));
    EXPECT_EQ(*reader_->due_timers(kNoon, 2), (std::vector{foreign.key, timer_key(3)}));
    EXPECT_EQ(*reader_->due_timers(kNoon - 3s, 9), std::vector<TimerKey>{});
    // Step by step.
    std::optional<Due<TimerKey>> last;
    std::vector<TimerKey> seen;
    for (auto next = *reader_->due_timers(kNoon, last, 1); !next.empty();
         next = *reader_->due_timers(kNoon, last, 1)) {
        last = next.front();
        seen.push_back(last->key);
        ASSERT_LT(seen.size(), 10u);
    }
    EXPECT_EQ(seen, *reader_->due_timers(kNoon, 9));
    EXPECT_EQ(*reader_->next_timer(Instant{}), kNoon - 2s);
    EXPECT_GT(*reader_->next_timer(kNoon - 2s), kNoon - 2s) << "past what is overdue";
}

TEST_P(ReaderConformance, ListsExpiredLeasesTheLongestOverdueFirst) {
    EXPECT_EQ(*reader_->next_lease_expiry(Instant{}), std::nullopt);
    const auto leased_until = [](std::uint64_t n, Instant until) {
        Job job = locked_job(n);
        job.lease->lock_expires_at = until;
        return job;
    };
    const Job foreign = moved_away(leased_until(2, kNoon - 2s));
    ASSERT_TRUE(write({.jobs_new = {leased_until(1, kNoon), foreign, leased_until(3, kNoon - 1s),
                                    leased_until(4, kNoon + 1us), unlocked_job(5)}}));
    EXPECT_EQ(*reader_->expired_leases(kNoon, 9),
              (std::vector{foreign.key, job_key(3), job_key(1)}));
    EXPECT_EQ(*reader_->expired_leases(kNoon, 2), (std::vector{foreign.key, job_key(3)}));
    EXPECT_EQ(*reader_->expired_leases(kNoon - 3s, 9), std::vector<JobKey>{});
    const auto first = *reader_->expired_leases(kNoon, std::nullopt, 1);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ((*reader_->expired_leases(kNoon, first.front(), 1)).at(0).key, job_key(3));
    EXPECT_EQ(*reader_->next_lease_expiry(Instant{}), kNoon - 2s);
    EXPECT_NE(*reader_->next_lease_expiry(kNoon - 2s), kNoon - 2s) << "past what is overdue";
}

MILLRACE_FOR_ALL_STORES(ReaderConformance);

}  // namespace
}  // namespace millrace

#include "interleavings/stage.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "queue/change_workspace.hpp"

namespace millrace {

namespace {

constexpr std::array kTables = {
    "definition", "workspace", "workspace_queue", "execution",      "execution_open",  "instance",
    "job",        "user_task", "timer",           "step_execution", "idempotency_key", "api_key",
};

// Unlike all others on the server.
std::string new_name() {
    static std::atomic<int> count = 0;
    return std::to_string(getpid()) + "_" + std::to_string(++count);
}

// Deadlocks are to be told soon; who waits for whom is seen by name.
std::string target_of(const PostgresSchema& schema, const std::string& name) {
    std::string target = schema.target();
    const std::string options = "options=";
    target.insert(target.find(options) + options.size(), "-cdeadlock_timeout%3D30ms%20");
    return target + "&application_name=" + name;
}

// Places in line and row ids are drawn from sequences, and virtual times say only who comes first:
// they depend on who was faster. The place of an execution stands in its open row.
std::string state_query() {
    std::string query;
    for (const std::string table : kTables) {
        if (table == "workspace_queue") continue;
        if (!query.empty()) query += " union all ";
        query += "select '" + table + " ' || (to_jsonb(t) - 'seq'" +
                 (table == "execution" ? " - 'place'" : "") +
                 (table == "definition" ? " - 'row_id'" : "") + ")::text from " + table + " as t";
    }
    return "select line from (" + query + ") as lines (line) order by line";
}

}  // namespace

std::string text_of(const Outcome& outcome) {
    std::string text;
    for (const auto& answers : outcome.answers) {
        for (const std::string& answer : answers) text += "  answer: " + answer + "\n";
        text += "  --\n";
    }
    for (const std::string& line : outcome.done) text += "  done: " + line + "\n";
    return text + outcome.state + "\n";
}

Stage::Stage(const Scene& scene)
    : second_name_("second_" + new_name()), control_(target_of(schema_, "control")) {
    MILLRACE_CHECK(PostgresDatabase({.target = schema_.target()}).migrate());
    build(scene);
    first_.emplace(target_of(schema_, "first"), kNoon + 1h);
    second_.emplace(target_of(schema_, second_name_), kNoon + 1h);
}

void Stage::build(const Scene& scene) {
    Player builder(target_of(schema_, "builder"), kNoon);
    build_ground(builder);
    for (int number : {1, 2}) {
        Item& item = items_[static_cast<std::size_t>(number - 1)];
        item = item_numbered(number);
        scene.build(builder, item);
    }
    if (scene.ends_paused) {
        MILLRACE_CHECK(builder.node().run(ChangeWorkspace{
            .id = kWorkspace, .changes = {.is_paused = true}, .plans = default_plans()}));
    }
    for (const std::string table : kTables) {
        control_.run("create table seed_" + table + " as select * from " + table);
    }
}

void Stage::reset() {
    std::string script = "begin;";
    for (const std::string table : kTables) {
        const char* overriding = table == "definition" ? " overriding system value" : "";
        script += "delete from " + table + "; insert into " + table + overriding +
                  " select * from seed_" + table + ";";
    }
    control_.run(script + "commit");
    if (++plays_ % 200 == 0) {
        for (const std::string table : kTables) control_.run("vacuum " + table);
    }
    outcome_ = {};
    done_ = {};
}

std::function<void(Player&)> Stage::play(const Side& side, std::size_t place, bool without_duties) {
    return [this, side, place, without_duties](Player& player) {
        std::vector<std::string>& answers = outcome_.answers[place];
        answers.resize(side.size());
        std::vector<std::unique_ptr<Command>> batch;
        for (std::size_t i = 0; i < side.size(); ++i) {
            const auto& [deed, number] = side[i];
            if (deed->is_duty && without_duties) continue;
            Turn turn{.player = player,
                      .item = items_[static_cast<std::size_t>(number - 1)],
                      .batch = batch,
                      .answer = answers[i],
                      .done = done_[place]};
            deed->make(turn);
        }
        if (!batch.empty()) player.node().queue().push(std::move(batch));
        player.node().commit();
    };
}

// What skips locked rows comes again, until there is nothing left for it.
void Stage::come_to_rest(const Side& first, const Side& second) {
    Side duties;
    for (const Side* side : {&first, &second}) {
        for (const auto& part : *side) {
            if (part.first->is_duty) duties.push_back(part);
        }
    }
    if (duties.empty()) return;
    const auto answers = outcome_.answers;
    for (int round = 0, quiet = 0; quiet < 2; ++round) {
        MILLRACE_CHECK(round < 20);
        const std::size_t before = done_[0].size();
        first_->begin(play(duties, 0));
        first_->await();
        quiet = done_[0].size() == before ? quiet + 1 : 0;
    }
    outcome_.answers = answers;
}

Outcome Stage::take_outcome() {
    for (auto& lines : done_) {
        outcome_.done.insert(outcome_.done.end(), lines.begin(), lines.end());
    }
    std::ranges::sort(outcome_.done);
    static const std::string query = state_query();
    outcome_.state = control_.run(query);
    return outcome_;
}

Outcome Stage::play_in_turn(const Side& first, const Side& second, LeftOut left_out) {
    reset();
    first_->begin(play(first, 0, left_out.duties_of_first));
    first_->await();
    statements_of_first_ = first_->statements().size();
    second_->begin(play(second, 1, left_out.duties_of_second));
    second_->await();
    come_to_rest(first, second);
    return take_outcome();
}

bool Stage::is_second_waiting() {
    return control_.run("select count(*) from pg_stat_activity where application_name = '" +
                        second_name_ + "' and cardinality(pg_blocking_pids(pid)) > 0") != "0";
}

Stage::Interleaved Stage::interleave(const Side& first, const Side& second,
                                     std::size_t stop_before) {
    reset();
    Interleaved result;
    first_->begin(play(first, 0), stop_before);
    const bool is_stopped = first_->await() == Player::State::stopped;
    if (is_stopped) result.stopped_before = first_->statements().back();
    second_->begin(play(second, 1));
    while (second_->await_a_moment() == Player::State::running) {
        if (!is_second_waiting()) continue;
        result.has_waited = true;
        break;
    }
    first_->go_on();
    first_->await();
    second_->await();
    for (Player* player : {&*first_, &*second_}) {
        const auto& troubles = player->troubles();
        result.troubles.insert(result.troubles.end(), troubles.begin(), troubles.end());
    }
    come_to_rest(first, second);
    result.outcome = take_outcome();
    return result;
}

}  // namespace millrace

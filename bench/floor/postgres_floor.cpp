#include <libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>

#include "floor/floor.hpp"
#include "floor_postgres_sql.hpp"

namespace millrace::bench {

namespace {

namespace sql = millrace::postgres::sql;

constexpr const char* kSettings =
    "SET synchronous_commit = on; SET plan_cache_mode = force_generic_plan;"
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    "SET enable_bitmapscan = off; SET jit = off;";
constexpr std::size_t kStepsToPlanBy = 10'000;
constexpr std::uint32_t kTypeUuid = 2950;
constexpr std::uint32_t kTypeText = 25;

void append_number(std::string& out, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift);
}

// An array in PostgreSQL's binary form: one element for each step.
template <class Projection>
std::string column(std::uint32_t type, std::span<const StepRows> steps, Projection projection) {
    std::string out;
    for (const std::uint32_t word : {1u, 0u, type, static_cast<std::uint32_t>(steps.size()), 1u}) {
        append_number(out, word);
    }
    for (const StepRows& step : steps) {
        const auto& element = projection(step);
        append_number(out, static_cast<std::uint32_t>(element.size()));
        out.append(reinterpret_cast<const char*>(element.data()), element.size());
    }
    return out;
}

std::string id_column(std::span<const StepRows> steps, IdBytes StepRows::*id) {
    return column(kTypeUuid, steps,
                  [id](const StepRows& step) -> const IdBytes& { return step.*id; });
}

std::string text_column(std::span<const StepRows> steps, std::string_view text) {
    return column(kTypeText, steps,
                  [&text](const StepRows&) -> const std::string_view& { return text; });
}

std::string bigint(std::int64_t number) {
    std::string out;
    append_number(out, static_cast<std::uint32_t>(number >> 32));
    append_number(out, static_cast<std::uint32_t>(number));
    return out;
}

class PostgresFloor : public Floor {
public:
    explicit PostgresFloor(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
        if (PQstatus(connection_) != CONNECTION_OK) fail(PQerrorMessage(connection_));
        run(kSettings);
        run(std::string(sql::kMigrations.front().text).c_str());
        prepare_all();
        fill_and_plan_again();
    }
    ~PostgresFloor() override { PQfinish(connection_); }
    PostgresFloor(const PostgresFloor&) = delete;
    PostgresFloor& operator=(const PostgresFloor&) = delete;

    void create(std::span<const StepRows> steps) override {
        const std::string instance_ids = id_column(steps, &StepRows::instance_id);
        send(sql::insert_instances,
             {instance_ids, text_column(steps, kVariables), text_column(steps, kStateOpen)});
        send(sql::insert_jobs, {id_column(steps, &StepRows::job_id), instance_ids});
        commit();
    }

    void claim(std::size_t count) override {
        send(sql::claim_jobs,
             {bigint(mark_), bigint(static_cast<std::int64_t>(count)), std::string(kWorkerId)});
        std::size_t claimed = 0;
        commit([&](const PGresult* result) {
            claimed = static_cast<std::size_t>(PQntuples(result));
            for (int row = 0; row < PQntuples(result); ++row) {
                const std::string_view text(PQgetvalue(result, row, 0));
                std::int64_t seq = 0;
                std::from_chars(text.data(), text.data() + text.size(), seq);
                mark_ = std::max(mark_, seq);
            }
        });
        if (claimed != count) fail("claimed " + std::to_string(claimed) + " jobs");
    }

    void complete(std::span<const StepRows> steps) override {
        send(sql::update_instances,
             {id_column(steps, &StepRows::instance_id), text_column(steps, kStateClosed)});
        send(sql::delete_jobs, {id_column(steps, &StepRows::job_id)});
        send(sql::insert_step_executions,
             {id_column(steps, &StepRows::step_execution_id), text_column(steps, kTries)});
        commit();
    }

private:
    void prepare_all() {
        for (const sql::Statement& each : sql::kStatements) {
            check(PQprepare(connection_, std::string(each.name).c_str(),
                            std::string(each.text).c_str(), 0, nullptr));
        }
        if (PQenterPipelineMode(connection_) != 1) fail(PQerrorMessage(connection_));
    }

    // Plans made for empty tables read whole indexes later on: a floor has the best plans there
    // are.
    void fill_and_plan_again() {
        const std::vector<StepRows> steps = mint_steps(kStepsToPlanBy, 0);
        create(steps);
        if (PQexitPipelineMode(connection_) != 1) fail(PQerrorMessage(connection_));
        run("ANALYZE");
        run("DEALLOCATE ALL");
        prepare_all();
        claim(steps.size());
        complete(steps);
    }

    void check(PGresult* result) {
        const ExecStatusType status = PQresultStatus(result);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
            fail(PQerrorMessage(connection_));
        }
        PQclear(result);
    }
    void run(const char* text) { check(PQexec(connection_, text)); }

    void send(const sql::Statement& which, const std::vector<std::string>& values) {
        std::vector<const char*> pointers;
        std::vector<int> lengths;
        for (const std::string& each : values) {
            pointers.push_back(each.data());
            lengths.push_back(static_cast<int>(each.size()));
        }
        const std::vector<int> formats(values.size(), 1);
        const int sent = PQsendQueryPrepared(connection_, std::string(which.name).c_str(),
                                             static_cast<int>(values.size()), pointers.data(),
                                             lengths.data(), formats.data(), 0);
        if (sent != 1) fail(PQerrorMessage(connection_));
        ++statements_sent_;
    }

    // All that was sent since the last sync is one transaction: one round trip for all of it.
    void commit(const std::function<void(const PGresult*)>& read = {}) {
        if (PQpipelineSync(connection_) != 1) fail(PQerrorMessage(connection_));
        for (; statements_sent_ > 0; --statements_sent_) {
            PGresult* result = PQgetResult(connection_);
            if (read) read(result);
            check(result);
            PQgetResult(connection_);  // The null that ends a statement's results.
        }
        PGresult* sync = PQgetResult(connection_);
        if (PQresultStatus(sync) != PGRES_PIPELINE_SYNC) fail(PQerrorMessage(connection_));
        PQclear(sync);
    }

    PGconn* connection_ = nullptr;
    int statements_sent_ = 0;
    std::int64_t mark_ = 0;
};

}  // namespace

std::unique_ptr<Floor> postgres_floor(const std::string& url) {
    return std::make_unique<PostgresFloor>(url);
}

}  // namespace millrace::bench

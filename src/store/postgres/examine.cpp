#include "store/postgres/examine.hpp"

#include <algorithm>

#include "store/postgres/expected_indexes.hpp"
#include "store/postgres/migrate.hpp"
#include "store/postgres/transaction.hpp"

namespace millrace::postgres {

namespace {

// One look after the other, each on its own: what is refused is noted and spoils nothing else.
class Examination {
public:
    Examination(const PostgresOptions& options, const Clock& clock)
        : clock_(clock), connection_(connection_options(options)) {}

    Facts run() {
        if (!look_at_server()) return std::move(facts_);
        look_at_settings();
        look_at_schema();
        look_at_indexes();
        look_at_tables();
        look_at_vacuum_holders();
        look_at_privileges();
        look_at_partitions();
        look_at_work();
        look_at_replicas();
        return std::move(facts_);
    }

private:
    // Empty when it was refused.
    std::optional<Rows> ask(const sql::Statement& statement, Parameters parameters = {}) {
        const Status opened = connection_.open();
        if (opened) {
            Result<std::vector<Rows>> answers =
                connection_.run({call(statement, std::move(parameters))});
            if (answers) return std::move(answers->front());
        }
        facts_.refusals.push_back(connection_.trouble());
        return std::nullopt;
    }

    bool look_at_server() {
        if (!connection_.open()) {
            facts_.unreachable = connection_.trouble();
            return false;
        }
        const Instant asked_at = clock_.now();
        const std::optional<Rows> rows = ask(sql::examine_server);
        if (!rows) {
            facts_.unreachable = connection_.trouble();
            return false;
        }
        Fields fields(*rows, 0);
        ServerFacts& server = facts_.server;
        server.round_trip = clock_.now() - asked_at;
        server.version = fields.text();
        server.version_number = fields.int32();
        server.is_standby = fields.boolean();
        server.is_pooled = fields.int32() != connection_.backend_pid();
        facts_.now = fields.instant();
        server.skew = facts_.now - (asked_at + server.round_trip / 2);
        server.is_encrypted = fields.boolean();
        server.database = fields.text();
        server.schema = fields.text();
        server.role = fields.text();
        server.connections = fields.int64();
        return true;
    }

    void look_at_settings() {
        const std::optional<Rows> rows = ask(sql::examine_settings);
        for (int i = 0; rows && i < rows->size(); ++i) {
            Fields fields(*rows, i);
            const std::string name(fields.text());
            facts_.settings[name] = fields.optional_text().value_or("");
        }
    }

    void look_at_schema() {
        Result<std::vector<MigrationStatus>> migrations = compare(connection_, sql::kMigrations);
        if (migrations) {
            facts_.migrations = std::move(*migrations);
        } else {
            facts_.refusals.push_back(migrations.error().detail);
        }
    }

    // Of a schema that is not there yet nothing is missing.
    bool is_migrated(std::int64_t version) const {
        const auto found = std::ranges::find(facts_.migrations, version, &MigrationStatus::version);
        return found != facts_.migrations.end() && found->state != MigrationState::pending;
    }

    void look_at_indexes() {
        const std::optional<Rows> rows = ask(sql::examine_indexes);
        if (!rows) return;
        std::map<std::string, bool> valid;
        for (int i = 0; i < rows->size(); ++i) {
            Fields fields(*rows, i);
            const std::string name(fields.text());
            valid[name] = fields.boolean();
        }
        std::vector<KnownMigration> applied = known_migrations(sql::kMigrations);
        std::erase_if(applied,
                      [this](const KnownMigration& each) { return !is_migrated(each.version); });
        for (const std::string& name : expected_indexes(applied)) {
            const auto found = valid.find(name);
            const bool is_there = found != valid.end();
            facts_.indexes.push_back({name, is_there, is_there && found->second});
        }
    }

    void look_at_tables() {
        const std::optional<Rows> rows = ask(sql::examine_tables);
        for (int i = 0; rows && i < rows->size(); ++i) {
            Fields fields(*rows, i);
            TableFacts& table = facts_.tables.emplace_back();
            table.name = fields.text();
            table.live_rows = fields.int64();
            table.dead_rows = fields.int64();
            table.bytes = fields.int64();
            table.last_autovacuum = fields.optional_instant();
            table.is_autovacuum_off = fields.boolean();
        }
    }

    void look_at_vacuum_holders() {
        const std::optional<Rows> rows = ask(sql::examine_vacuum_holders);
        for (int i = 0; rows && i < rows->size(); ++i) {
            Fields fields(*rows, i);
            VacuumHolder& holder = facts_.vacuum_holders.emplace_back();
            holder.kind = fields.text();
            holder.name = fields.text();
            holder.pid = fields.int32();
            holder.state = fields.text();
            holder.since = fields.optional_instant();
            holder.age = fields.int64();
        }
    }

    void look_at_privileges() {
        const std::optional<Rows> rows = ask(sql::examine_privileges);
        if (!rows) return;
        std::vector<MissingPrivilege>& all_missing = facts_.missing_privileges.emplace();
        for (int i = 0; i < rows->size(); ++i) {
            Fields fields(*rows, i);
            MissingPrivilege& missing = all_missing.emplace_back();
            missing.object = fields.optional_text().value_or("");
            missing.privilege = fields.text();
        }
    }

    void look_at_partitions() {
        const std::optional<Rows> rows = ask(sql::examine_partitions);
        for (int i = 0; rows && i < rows->size(); ++i) {
            Fields fields(*rows, i);
            PartitionFacts& partition = facts_.partitions.emplace_back();
            partition.table = fields.text();
            partition.has_next_month = fields.boolean();
            partition.default_bytes = fields.int64();
        }
    }

    void look_at_work() {
        if (!is_migrated(1)) return;
        Parameters parameters;
        parameters.add(facts_.now);
        const std::optional<Rows> rows = ask(sql::examine_work, std::move(parameters));
        if (!rows) return;
        Fields fields(*rows, 0);
        OverdueWork& overdue = facts_.overdue.emplace();
        overdue.timers = fields.int64();
        overdue.timer_at = fields.optional_instant();
        overdue.leases = fields.int64();
        overdue.lease_at = fields.optional_instant();
    }

    void look_at_replicas() {
        const std::optional<Rows> has = ask(sql::has_replicas);
        if (!has || !Fields(*has, 0).boolean()) return;
        const std::optional<Rows> rows = ask(sql::examine_replicas);
        if (!rows) return;
        std::vector<ReplicaFacts>& replicas = facts_.replicas.emplace();
        for (int i = 0; i < rows->size(); ++i) {
            Fields fields(*rows, i);
            ReplicaFacts& replica = replicas.emplace_back();
            replica.name = fields.text();
            replica.version = fields.text();
            replica.silent_seconds = fields.int64();
        }
    }

    const Clock& clock_;
    Connection connection_;
    Facts facts_;
};

}  // namespace

Facts examine(const PostgresOptions& options, const Clock& clock) {
    return Examination(options, clock).run();
}

}  // namespace millrace::postgres

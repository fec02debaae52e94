#include "base/check.hpp"
#include "store/postgres/postgres_database.hpp"
#include "store_conformance/world.hpp"
#include "support/cutting_proxy.hpp"
#include "support/postgres_server.hpp"

namespace millrace {

namespace {

// A schema of its own on the server of the test run.
class PostgresWorld final : public World {
public:
    PostgresWorld() { MILLRACE_CHECK(database_.migrate()); }

    Database& database() override { return database_; }
    void run_sql(const std::string& statement) override {
        PostgresSession(schema_.target()).run(statement);
    }

private:
    PostgresSchema schema_;
    PostgresDatabase database_{{.target = schema_.target()}};
};

// The same behind a proxy that can cut connections.
class DoubtfulPostgresWorld final : public DoubtfulWorld {
public:
    DoubtfulPostgresWorld() { MILLRACE_CHECK(database_.migrate()); }

    Database& database() override { return database_; }
    void run_sql(const std::string& statement) override {
        PostgresSession(schema_.target()).run(statement);
    }
    void cut_before_commit() override { proxy_.arm_for_all(Cut::before_commit); }
    void cut_after_commit() override { proxy_.arm_for_all(Cut::before_reply); }
    void heal() override { proxy_.arm_for_all(Cut::none); }

private:
    PostgresSchema schema_;
    CuttingProxy proxy_{schema_.socket_path()};
    PostgresDatabase database_{{.target = schema_.target_at_port(proxy_.port())}};
};

}  // namespace

std::unique_ptr<World> make_postgres_world() {
    return std::make_unique<PostgresWorld>();
}

std::unique_ptr<DoubtfulWorld> make_doubtful_postgres_world() {
    return std::make_unique<DoubtfulPostgresWorld>();
}

}  // namespace millrace

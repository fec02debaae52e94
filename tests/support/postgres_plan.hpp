#pragma once

#include <string>

#include "store_postgres_sql.hpp"
#include "support/postgres_server.hpp"

namespace millrace::postgres {

// The plan that a statement gets under the settings that the store makes: for all parameters
// together, or for these values. `options` are those of EXPLAIN.
inline std::string plan(PostgresSession& session, const sql::Statement& statement,
                        const std::string& values, bool is_generic,
                        const std::string& options = {}) {
    session.run(std::string("SET plan_cache_mode = ") +
                (is_generic ? "force_generic_plan" : "force_custom_plan") +
                "; SET enable_seqscan = off; SET jit = off");
    session.run("PREPARE asked AS " + std::string(statement.text));
    std::string text = session.run("EXPLAIN " + options + " EXECUTE asked" + values);
    session.run("DEALLOCATE asked");
    return text;
}

}  // namespace millrace::postgres

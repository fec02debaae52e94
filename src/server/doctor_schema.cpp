#include "server/doctor_schema.hpp"

namespace millrace {

using enum Severity;

Finding judge_schema(const std::vector<MigrationStatus>& migrations) {
    if (const Status usable = check_migrations(migrations); !usable) {
        return {problem, "schema", usable.error().detail,
                "Compare with `millrace migrate status`."};
    }
    const std::size_t pending = count_pending(migrations);
    const std::string latest = migrations.empty() ? "" : migrations.back().name;
    if (pending == 0)
        return {good, "schema", "It is up to date, with migration " + latest + ".", ""};
    if (pending == migrations.size()) {
        return {warning, "schema", "There are no tables of Millrace yet.",
                "Run `millrace migrate up`, or start a server."};
    }
    return {warning, "schema",
            std::to_string(pending) + " migrations are pending, up to " + latest + ".",
            "Run `millrace migrate up`, or start a server of this version."};
}

}  // namespace millrace

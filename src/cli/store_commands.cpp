#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"

namespace millrace::cli {
namespace {

void add_store(CLI::App& command, LocalStore& store) {
    command.add_option("--store", store.store,
                       "sqlite:PATH or a PostgreSQL URL; as millrace serve finds it when absent");
    command.add_option("--config", store.config_file, "YAML file with settings of the server");
}

}  // namespace

void add_store_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "migrate", "Look at and update the schema of a store");
    auto [status, shown] = add_command<ShowMigrations>(
        group, invocation, "status", "List migrations: those of the store and of this program");
    add_store(*status, shown->store);
    auto [up, migrated] =
        add_command<MigrateStore>(group, invocation, "up", "Apply the migrations that are pending");
    add_store(*up, migrated->store);

    auto [doctor, examined] = add_command<ShowHealth>(
        app, invocation, "doctor", "Look at a store and say what to do about it");
    add_store(*doctor, examined->store);
    doctor->add_flag("--strict", examined->is_strict, "Warnings make the exit code 4");
}

}  // namespace millrace::cli

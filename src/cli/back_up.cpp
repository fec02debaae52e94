#include "cli/back_up.hpp"

#include <filesystem>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/new_file.hpp"
#include "cli/print_document.hpp"
#include "cli/progress.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

constexpr const char* kDefaultDirectory = "millrace-data";

int report(const BackUp& command, const Context& context, const std::string& source) {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(command.file, failure);
    json::Value document = json::Object{};
    document.set("file", command.file);
    document.set("source", source);
    document.set("bytes", failure ? std::int64_t{0} : static_cast<std::int64_t>(size));
    if (!print_document(context, document)) {
        context.console.out << command.file << ": a checked copy of " << source << ", " << size
                            << " bytes.\n";
    }
    return succeeded;
}

// `advice` is for whoever finds it in use.
int copy_directory(const BackUp& command, const Context& context, const std::string& directory,
                   const std::string& advice) {
    const Status status = context.local.data.back_up(directory, command.file);
    if (status) return report(command, context, directory);
    const bool is_in_use = status.error().code == ErrorCode::conflict;
    return fail(context, refused, status.error().detail + (is_in_use ? " " + advice : ""));
}

// The bytes go into FILE.part, which gets its name when it is whole and sound.
int ask_server(client::Client& client, const BackUp& command, const Context& context,
               client::Error& error) {
    NewFile file(command.file);
    Progress progress(context.console, "MiB received", 0);
    std::int64_t received = 0;
    const client::Status status = client.download_backup([&](std::string_view bytes) {
        received += static_cast<std::int64_t>(bytes.size());
        progress.show(received >> 20);
        return file.write(bytes);
    });
    progress.end();
    if (!status) {
        error = status.error();
        return no_answer;
    }
    Status kept = file.finish();
    if (kept) {
        if (const Status sound = context.local.data.check_backup(file.part()); !sound) {
            return fail(context, refused,
                        sound.error().detail + " Is it a Millrace server that listens at " +
                            context.server.server + "?");
        }
        kept = file.put_in_place();
    }
    if (!kept) return fail(context, refused, kept.error().detail);
    return report(command, context, context.server.server);
}

}  // namespace

int execute(const BackUp& command, const Context& context) {
    if (!command.is_forced && std::filesystem::exists(command.file)) {
        return fail(context, refused,
                    command.file + " exists. Name another file, or say --force to replace it.");
    }
    if (!command.data_directory.empty()) {
        return copy_directory(command, context, command.data_directory,
                              "Ask that server: leave out --data-dir, and name it with --server.");
    }
    client::Client client(context.server);
    client::Error error;
    const int exit_code = ask_server(client, command, context, error);
    if (error.code.empty()) return exit_code;
    if (error.code != "unreachable") return fail(context, error);
    if (context.server_is_named) {
        error.message += " Nothing is copied: --data-dir DIR copies a directory without a server.";
        return fail(context, error);
    }
    if (!std::filesystem::exists(kDefaultDirectory)) {
        error.message += " Nor is there a directory " + std::string(kDefaultDirectory) +
                         " to copy: --data-dir names another.";
        return fail(context, error);
    }
    context.console.err << "No server answers at " << context.server.server << ": copying "
                        << kDefaultDirectory << ".\n";
    return copy_directory(command, context, kDefaultDirectory,
                          "Name the address of that server with --server, or stop it first.");
}

}  // namespace millrace::cli

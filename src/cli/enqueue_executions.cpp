#include "cli/enqueue_executions.hpp"

#include <ostream>

#include "base/json/write.hpp"
#include "cli/caller_workspace.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/progress.hpp"
#include "cli/read_input.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

// What a server takes at once is 1,000 items and 16 MiB; keys and commas are added to the items.
constexpr std::size_t kItemsMax = 1000;
constexpr std::size_t kBytesMax = std::size_t{8} << 20;

struct Outcome {
    std::int64_t enqueued = 0;
    std::int64_t failed = 0;
    json::Array results{};
};

// An array, or the object that the server takes for several.
Result<json::Array> read_items(const Console& console, const std::string& file) {
    Result<json::Value> value = read_json(console, file);
    if (!value) return value.error();
    const json::Value* executions = value->is_object() ? value->find("executions") : &*value;
    const json::Array* items = executions == nullptr ? nullptr : executions->if_array();
    if (items == nullptr) {
        return Error{ErrorCode::invalid_argument,
                     file +
                         ": Expected a JSON array of executions, like "
                         "'[{\"definitionId\": \"order\", \"input\": {}}]'."};
    }
    return *items;
}

// The next items that fit into one call, from `first` on.
json::Array next_round(const json::Array& items, std::size_t first) {
    json::Array round;
    std::size_t bytes = 0;
    for (std::size_t i = first; i < items.size() && round.size() < kItemsMax; ++i) {
        bytes += json::write(items[i]).size();
        if (bytes > kBytesMax && !round.empty()) break;
        round.push_back(items[i]);
    }
    return round;
}

json::Value error_document(const client::Error& error) {
    json::Value document = json::Object{};
    document.set("error", error.code);
    document.set("message", error.message);
    return document;
}

void note(const Context& context, const client::Result<client::Execution>& result,
          Outcome& outcome) {
    json::Value document = json::Object{};
    if (result) {
        outcome.enqueued += 1;
        document.set("execution", result->json());
    } else {
        outcome.failed += 1;
        document.set("error", error_document(result.error()));
        if (context.output == OutputFormat::table) {
            context.console.err << "  item " << outcome.results.size() + 1 << ": "
                                << result.error().message << '\n';
        }
    }
    outcome.results.push_back(std::move(document));
}

int print_outcome(const Context& context, Outcome outcome) {
    json::Value document = json::Object{};
    document.set("results", std::move(outcome.results));
    if (!print_document(context, document)) {
        context.console.out << outcome.enqueued << " enqueued, " << outcome.failed << " failed.\n";
    }
    return outcome.failed == 0 ? succeeded : refused;
}

}  // namespace

int execute(const EnqueueExecutions& command, const Context& context) {
    const Result<json::Array> items = read_items(context.console, command.file);
    if (!items) return fail(context, misused, items.error().detail);
    client::Client client(context.server);
    const client::Result<std::string> workspace = caller_workspace(client, context);
    if (!workspace) return fail(context, workspace.error());

    Progress progress(context.console, "enqueued", static_cast<std::int64_t>(items->size()));
    Outcome outcome;
    while (outcome.results.size() < items->size()) {
        const json::Array round = next_round(*items, outcome.results.size());
        const auto results = client.enqueue_all(*workspace, round);
        const bool is_short = results && results->size() != round.size();
        if (!results || is_short) {
            progress.end();
            if (context.output == OutputFormat::table && outcome.enqueued > 0) {
                context.console.err << outcome.enqueued << " were enqueued before this:\n";
            }
            if (!is_short) return fail(context, results.error());
            return fail(context, no_answer, "The server did not tell what became of each item.");
        }
        for (const auto& result : *results) note(context, result, outcome);
        progress.show(outcome.enqueued);
    }
    progress.end();
    return print_outcome(context, std::move(outcome));
}

}  // namespace millrace::cli

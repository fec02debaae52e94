#include "cli/change_dead_letters.hpp"

#include <algorithm>
#include <ostream>

#include "cli/confirm.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/progress.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

// So that there is progress to see, and no call takes long.
constexpr std::int32_t kDeadLetterRound = 500;
// The most that a server does in one call.
constexpr std::int32_t kDeadLetterRoundMax = 10'000;

struct VerbWords {
    const char* question;
    const char* done;  // Also the member of the server's answer.
};

VerbWords verb_words(DeadLetterVerb verb) {
    switch (verb) {
        case DeadLetterVerb::redrive: return {"Redrive", "redriven"};
        case DeadLetterVerb::dismiss: return {"Dismiss", "dismissed"};
        case DeadLetterVerb::purge: return {"Remove for good", "purged"};
    }
    return {"", ""};
}

struct DeadLetterTotals {
    std::int64_t done = 0;
    json::Array executions{};
    json::Array failed{};
    std::int64_t remaining = 0;
};

// A rate holds within one call, so such a redrive is one; and so is a trial.
bool is_single_call(const ChangeDeadLetters& command) {
    return !command.selection.ids.empty() || command.rate_per_second || command.trial;
}

client::Result<client::DeadLetterReport> call_round(client::Client& client,
                                                    const ChangeDeadLetters& command,
                                                    std::int64_t done) {
    client::SelectDeadLetters selection = command.selection;
    const std::int64_t round_max = is_single_call(command) ? kDeadLetterRoundMax : kDeadLetterRound;
    const std::int64_t left = command.limit == 0 ? round_max : command.limit - done;
    selection.limit = static_cast<std::int32_t>(std::min(round_max, left));
    switch (command.verb) {
        case DeadLetterVerb::redrive:
            return client.redrive_dead_letters({.selection = selection,
                                                .trial = command.trial,
                                                .rate_per_second = command.rate_per_second});
        case DeadLetterVerb::dismiss: return client.dismiss_dead_letters(selection);
        case DeadLetterVerb::purge: break;
    }
    return client.purge_dead_letters(selection);
}

int print_totals(const Context& context, const ChangeDeadLetters& command,
                 DeadLetterTotals totals) {
    const VerbWords words = verb_words(command.verb);
    const std::size_t failures = totals.failed.size();
    json::Value document = json::Object{};
    document.set(words.done, totals.done);
    if (command.verb == DeadLetterVerb::redrive) {
        document.set("executions", std::move(totals.executions));
    }
    document.set("failed", totals.failed);
    document.set("remaining", totals.remaining);
    if (!print_document(context, document)) {
        context.console.out << totals.done << ' ' << words.done << ", " << failures << " failed, "
                            << totals.remaining << " remaining.\n";
        for (const json::Value& each : totals.failed) {
            const client::Document failure(each);
            context.console.err << "  " << failure.text("id") << ": " << failure.text("message")
                                << '\n';
        }
    }
    return failures == 0 ? succeeded : refused;
}

// Round after round, until nothing is left that can be changed.
int change_all(client::Client& client, const ChangeDeadLetters& command, const Context& context,
               std::int64_t expected) {
    const VerbWords words = verb_words(command.verb);
    Progress progress(context.console, words.done, expected);
    DeadLetterTotals totals;
    while (true) {
        const auto report = call_round(client, command, totals.done);
        if (!report) {
            progress.end();
            if (context.output == OutputFormat::table && totals.done > 0) {
                context.console.err << totals.done << " were " << words.done << " before this:\n";
            }
            return fail(context, report.error());
        }
        const std::int64_t done = report->integer(words.done);
        totals.done += done;
        for (const client::Document& each : report->executions()) {
            totals.executions.push_back(each.json());
        }
        // Those that fail are met again in the next round.
        totals.failed.clear();
        for (const client::Document& each : report->failed()) totals.failed.push_back(each.json());
        totals.remaining = report->remaining();
        progress.show(totals.done);
        const bool is_full = command.limit != 0 && totals.done >= command.limit;
        if (is_single_call(command) || done == 0 || totals.remaining == 0 || is_full) break;
    }
    progress.end();
    return print_totals(context, command, std::move(totals));
}

std::string question_of(const ChangeDeadLetters& command, std::int64_t count, bool has_more) {
    return std::string(verb_words(command.verb).question) + " " + std::to_string(count) +
           (has_more ? " or more" : "") +
           (count == 1 && !has_more ? " dead letter?" : " dead letters?");
}

int print_count(const Context& context, const ChangeDeadLetters& command, std::int64_t count) {
    json::Value document = json::Object{};
    document.set("matched", count);
    document.set("dryRun", true);
    if (!print_document(context, document)) {
        context.console.out << count << " would be " << verb_words(command.verb).done << ".\n";
    }
    return succeeded;
}

}  // namespace

int execute(const ChangeDeadLetters& command, const Context& context) {
    client::Client client(context.server);
    if (!command.selection.ids.empty()) {
        return change_all(client, command, context,
                          static_cast<std::int64_t>(command.selection.ids.size()));
    }
    const auto found =
        client.list_dead_letters({.filter = {.definition_id = command.selection.definition_id,
                                             .reason = command.selection.reason},
                                  .paging = {.page_size = 1}});
    if (!found) return fail(context, found.error());
    std::int64_t count = found->total;
    if (command.limit != 0) count = std::min<std::int64_t>(count, command.limit);
    if (command.trial) count = std::min<std::int64_t>(count, *command.trial);
    if (command.is_dry_run) return print_count(context, command, count);
    if (count == 0) return print_totals(context, command, {});
    if (!command.is_confirmed) {
        const bool has_more = found->total_capped && count == found->total;
        if (const auto no = declined(context, question_of(command, count, has_more))) return *no;
    }
    return change_all(client, command, context, count);
}

}  // namespace millrace::cli

#include "cli/cancel_instances.hpp"

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
constexpr std::int32_t kCancelRound = 500;
// The most that a server looks at in one call.
constexpr std::int32_t kCancelRoundMax = 10'000;

struct CancelTotals {
    std::int64_t matched = 0;
    std::int64_t cancelled = 0;
    json::Array failed{};
};

int print_totals(const Context& context, const CancelTotals& totals, bool is_dry_run) {
    json::Value document = json::Object{};
    document.set("matched", totals.matched);
    document.set("cancelled", totals.cancelled);
    document.set("failed", totals.failed);
    document.set("dryRun", is_dry_run);
    if (!print_document(context, document)) {
        if (is_dry_run) {
            context.console.out << totals.matched << " would be cancelled.\n";
        } else {
            context.console.out << totals.cancelled << " cancelled, " << totals.failed.size()
                                << " failed.\n";
        }
        for (const json::Value& each : totals.failed) {
            const client::Document failure(each);
            context.console.err << "  " << failure.text("id") << ": " << failure.text("message")
                                << '\n';
        }
    }
    return totals.failed.empty() ? succeeded : refused;
}

std::string question_of(std::int64_t count, bool has_more) {
    return "Cancel " + std::to_string(count) + (has_more ? " or more" : "") +
           (count == 1 && !has_more ? " instance?" : " instances?");
}

client::CancelInstances request_of(const CancelInstances& command, std::int64_t done) {
    client::CancelInstances request{.filter = command.filter, .reason = command.reason};
    const std::int64_t left = command.limit == 0 ? kCancelRound : command.limit - done;
    request.limit = static_cast<std::int32_t>(std::min<std::int64_t>(kCancelRound, left));
    return request;
}

// Round after round, until nothing is left that can be cancelled.
int cancel_all(client::Client& client, const CancelInstances& command, const Context& context,
               std::int64_t expected) {
    Progress progress(context.console, "cancelled", expected);
    CancelTotals totals{.matched = expected};
    while (true) {
        const client::Result<client::CancelReport> report =
            client.cancel_instances(request_of(command, totals.cancelled));
        if (!report) {
            progress.end();
            context.console.err << totals.cancelled << " were cancelled before this:\n";
            return fail(context, report.error());
        }
        totals.cancelled += report->cancelled();
        totals.failed.clear();
        for (const client::Document& failure : report->failed()) {
            totals.failed.push_back(failure.json());
        }
        progress.show(totals.cancelled);
        const bool is_full = command.limit != 0 && totals.cancelled >= command.limit;
        if (!report->has_more() || report->cancelled() == 0 || is_full) break;
    }
    progress.end();
    totals.matched = std::max(totals.matched,
                              totals.cancelled + static_cast<std::int64_t>(totals.failed.size()));
    return print_totals(context, totals, false);
}

}  // namespace

int execute(const CancelInstances& command, const Context& context) {
    client::Client client(context.server);
    client::CancelInstances preview{.filter = command.filter, .dry_run = true};
    if (command.limit != 0) preview.limit = std::min(command.limit, kCancelRoundMax);
    const client::Result<client::CancelReport> found = client.cancel_instances(preview);
    if (!found) return fail(context, found.error());
    const std::int64_t count = found->matched();
    if (command.is_dry_run || count == 0) {
        return print_totals(context, {.matched = count}, command.is_dry_run);
    }
    if (!command.is_confirmed) {
        const bool is_enough = command.limit != 0 && count >= command.limit;
        const bool has_more = !is_enough && found->has_more();
        if (const auto no = declined(context, question_of(count, has_more))) return *no;
    }
    return cancel_all(client, command, context, count);
}

}  // namespace millrace::cli

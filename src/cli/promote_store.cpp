#include "cli/promote_store.hpp"

#include <optional>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/progress.hpp"
#include "cli/table.hpp"

namespace millrace::cli {
namespace {

// One line of progress for each part of the work.
class Steps {
public:
    explicit Steps(const Console& console) : console_(console) {}
    ~Steps() { end(); }

    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;

    void show(const PromotionStep& step) {
        if (step.what != what_) {
            end();
            what_ = step.what;
            progress_.emplace(console_, step.what, step.total);
        }
        progress_->show(step.done);
    }

private:
    void end() {
        if (progress_) progress_->end();
    }

    const Console& console_;
    std::string what_;
    std::optional<Progress> progress_;
};

Result<std::vector<PromotedRows>> promote(const PromoteStore& command, const Context& context) {
    Steps steps(context.console);
    return context.local.promote(command.from, command.to,
                                 [&](const PromotionStep& step) { steps.show(step); });
}

int fail_with(const Context& context, const Error& error) {
    switch (error.code) {
        case ErrorCode::invalid_argument:
        case ErrorCode::not_found: return fail(context, misused, error.detail);
        case ErrorCode::unavailable:
            return fail(context, no_answer,
                        error.detail + " What was copied stays: the same command goes on there.");
        default: return fail(context, refused, error.detail);
    }
}

json::Value to_json(const PromotedRows& rows) {
    json::Value document = json::Object{};
    document.set("table", rows.table);
    document.set("rows", rows.rows);
    document.set("checksum", rows.checksum);
    return document;
}

void print(const PromoteStore& command, const Context& context,
           const std::vector<PromotedRows>& tables) {
    json::Array items;
    for (const PromotedRows& each : tables) items.push_back(to_json(each));
    json::Value document = json::Object{};
    document.set("from", command.from);
    document.set("tables", std::move(items));
    if (print_document(context, document)) return;
    Rows rows{{"TABLE", "ROWS", "CHECKSUM"}};
    for (const PromotedRows& each : tables) {
        rows.push_back({each.table, std::to_string(each.rows), each.checksum});
    }
    print_table(context.console, rows);
    context.console.out << "Promoted: the target holds the same as " << command.from
                        << ", which is as it was. Start servers on the target only.\n";
}

}  // namespace

int execute(const PromoteStore& command, const Context& context) {
    const Result<std::vector<PromotedRows>> promoted = promote(command, context);
    if (!promoted) return fail_with(context, promoted.error());
    print(command, context, *promoted);
    return succeeded;
}

}  // namespace millrace::cli

#include "cli/watch_instance.hpp"

#include <poll.h>

#include <ostream>

#include "cli/colour.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

constexpr int kTriesMax = 10;
constexpr int kPauseMilliseconds = 1000;

void print_event(const Context& context, const client::InstanceEvent& event) {
    json::Value document = json::Object{};
    document.set("id", event.id);
    document.set("event", event.type);
    document.set("data", event.data.json());
    const Console& console = context.console;
    if (print_document(context, document)) {
        console.out << std::flush;
        return;
    }
    const std::string status(event.data.text("status"));
    const std::string step(event.data.text("stepId"));
    console.out << event.type << ' ' << (step.empty() ? "" : step + " ")
                << coloured(console, colour_of(status), status)
                << (event.data.boolean("suspended") ? " suspended" : "");
    const std::string_view reason = event.data.text("failureReason");
    if (!reason.empty()) console.out << ": " << reason;
    console.out << '\n' << std::flush;
}

}  // namespace

int execute(const WatchInstance& command, const Context& context) {
    client::Client client(context.server);
    client::WatchInstance watch{.instance_id = command.id, .last_event_id = command.after};
    int tries = 0;
    bool is_known = false;
    while (true) {
        const client::Status status =
            client.watch_instance(watch, [&](const client::InstanceEvent& event) {
                watch.last_event_id = event.id;
                is_known = true;
                tries = 0;
                print_event(context, event);
                return true;
            });
        if (status) return succeeded;
        const bool may_work_later = is_known && client::is_transient(status.error());
        if (!may_work_later || ++tries == kTriesMax) return fail(context, status.error());
        ::poll(nullptr, 0, kPauseMilliseconds);
    }
}

}  // namespace millrace::cli

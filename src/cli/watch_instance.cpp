#include "cli/watch_instance.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <ostream>

#include "cli/colour.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/patience.hpp"
#include "cli/print_document.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

constexpr int kPauseMillisecondsMin = 50;
constexpr int kPauseMillisecondsMax = 1000;
// A server that is restarted is back by then.
constexpr std::chrono::seconds kSilenceMax{60};

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
    // Whoever connects is told the state of the instance, also the one that was told before.
    json::Value told;
    bool is_known = false;
    Patience patience(kSilenceMax);
    int pause = kPauseMillisecondsMin;
    while (true) {
        const client::Status status =
            client.watch_instance(watch, [&](const client::InstanceEvent& event) {
                is_known = true;
                patience.on_answer();
                watch.last_event_id = event.id;
                if (event.type == "instance" && event.data.json() == told) return true;
                if (event.type == "instance") told = event.data.json();
                pause = kPauseMillisecondsMin;
                print_event(context, event);
                return context.console.out.good();
            });
        if (status) return succeeded;
        const bool may_work_later = is_known && client::is_transient(status.error());
        if (!may_work_later || !patience.bears_failure(std::chrono::steady_clock::now())) {
            return fail(context, status.error());
        }
        ::poll(nullptr, 0, pause);
        pause = std::min(pause * 2, kPauseMillisecondsMax);
    }
}

}  // namespace millrace::cli

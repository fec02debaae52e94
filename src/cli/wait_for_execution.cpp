#include "cli/wait_for_execution.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_execution.hpp"

namespace millrace::cli {
namespace {

using WaitClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Soon enough for what is over at once, and no burden while something takes long.
constexpr int kLookMillisecondsMin = 20;
constexpr int kLookMillisecondsMax = 1000;
// A server that is restarted is back by then.
constexpr Seconds kServerSilenceMax{60};

}  // namespace

int wait_for_execution(client::Client& client, const Context& context, const std::string& id,
                       const WaitArguments& wait) {
    const WaitClock::time_point start = WaitClock::now();
    WaitClock::time_point answered_at = start;
    int pause = kLookMillisecondsMin;
    while (true) {
        const client::Result<client::Execution> execution = client.get_execution(id);
        const WaitClock::time_point now = WaitClock::now();
        if (execution) answered_at = now;
        if (execution && execution->is_over()) {
            show_execution(context, *execution);
            return execution->queue_status() == "COMPLETED" ? succeeded : refused;
        }
        const Seconds left = Seconds(wait.timeout_seconds) - (now - start);
        const bool is_late = wait.timeout_seconds > 0 && left <= Seconds::zero();
        if (!execution) {
            const bool is_silent = now - answered_at > kServerSilenceMax;
            const bool may_work_later = client::is_transient(execution.error());
            if (!may_work_later || is_silent || is_late) return fail(context, execution.error());
        } else if (is_late) {
            return fail(context, no_answer,
                        "Execution " + id + " is still " + std::string(execution->queue_status()) +
                            ". Wait on with 'millrace executions get " + id + " --wait'.");
        }
        const int rest = static_cast<int>(std::min(left.count(), 1.0) * 1000) + 1;
        ::poll(nullptr, 0, wait.timeout_seconds > 0 ? std::min(pause, rest) : pause);
        pause = std::min(pause * 2, kLookMillisecondsMax);
    }
}

}  // namespace millrace::cli

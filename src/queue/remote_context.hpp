#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.hpp"
#include "commit/command_queue.hpp"
#include "core/queue/target_name.hpp"
#include "queue/agenda.hpp"
#include "queue/gathered_commands.hpp"
#include "queue/remote_runs_listener.hpp"
#include "queue/remote_settings.hpp"
#include "queue/remote_target.hpp"

namespace millrace {

// What the parts of RemoteRuns share. All of them run on the thread that runs the agenda.
struct RemoteContext {
    RemoteContext(CommandQueue& queue, RemoteRunsListener& run_listener, const Clock& the_clock,
                  RemoteSettings the_settings, std::function<void()> wake)
        : listener(run_listener),
          clock(the_clock),
          settings(sound(std::move(the_settings))),
          commands(queue, settings.gather),
          agenda(std::make_shared<Agenda>(std::move(wake))) {}

    RemoteRunsListener& listener;
    const Clock& clock;
    const RemoteSettings settings;
    GatheredCommands commands;  // Handed over when a run of the agenda is through.
    // Shared with callbacks that may come when all this is gone.
    const std::shared_ptr<Agenda> agenda;
    std::map<std::string, RemoteTarget> targets{};

    // Null when there is none of that name.
    RemoteTarget* find_target(const std::string& name) {
        const auto found = targets.find(target_name(name));
        return found == targets.end() ? nullptr : &found->second;
    }

    // A callback for any thread that hands its answer over to `handle`, which runs here.
    template <class Answer, class Handle>
    std::function<void(Answer)> handing_to(Handle handle) const {
        return [agenda = agenda, handle = std::move(handle)](Answer answer) {
            agenda->post([handle, answer = std::move(answer)]() { handle(answer); });
        };
    }

    // `handle` gets a const Result<Answer>&, here.
    using Urgency = GatheredCommands::Urgency;
    template <class Request, class Handle>
    void submit(Request request, Urgency urgency, Handle handle) {
        using Answer = typename PendingCommand<Request>::Answer;
        commands.add(CommandQueue::make_command(std::move(request),
                                                handing_to<Result<Answer>>(std::move(handle))),
                     urgency, clock.now());
    }

    // The same for a request that may be repeated: again and again while the store is away, or
    // while nobody can tell whether it was written.
    template <class Request, class Handle>
    void submit_until_known(Request request, Handle handle) {
        using Answer = typename PendingCommand<Request>::Answer;
        Request first = request;
        submit(std::move(first), Urgency::can_wait,
               [this, request = std::move(request),
                handle = std::move(handle)](const Result<Answer>& answer) {
                   if (!answer && is_passing(answer.error().code)) {
                       agenda->at(clock.now() + kPause,
                                  [this, request, handle] { submit_until_known(request, handle); });
                       return;
                   }
                   handle(answer);
               });
    }

    bool is_calling() const {
        return std::ranges::any_of(targets, [](const auto& target) {
            return target.second.is_busy(RemoteTarget::Lane::start) ||
                   target.second.is_busy(RemoteTarget::Lane::look);
        });
    }

private:
    static RemoteSettings sound(RemoteSettings settings) {
        settings.call_timeout = std::min(settings.call_timeout, settings.lease / 2);
        return settings;
    }

    static constexpr Duration kPause = std::chrono::seconds{1};

    static constexpr bool is_passing(ErrorCode code) {
        return code == ErrorCode::unavailable || code == ErrorCode::commit_unknown;
    }
};

}  // namespace millrace

#include <algorithm>

#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

// The steps of one instance with timers, before and after a commit.
class TimerCheck {
public:
    TimerCheck(const RowChange<Instance>& change, Instant at, const Ledger& ledger,
               Findings& findings)
        : after_(*change.after),
          before_(change.before ? &*change.before : nullptr),
          at_(at),
          ledger_(ledger),
          definition_(ledger.definition_of(change.after->definition)),
          findings_(findings) {}

    void check() {
        const bool was_running = before_ != nullptr && !is_terminal(before_->status);
        if (was_running) {
            for (const OpenStep& step : before_->state.open_steps) check_before(step);
        }
        if (is_terminal(after_.status)) return;
        for (const OpenStep& step : after_.state.open_steps) {
            const bool is_new = !was_running || find_open(*before_, step.sequence) == nullptr;
            if (is_new) check_new(step);
        }
    }

private:
    static const OpenStep* find_open(const Instance& instance, std::uint32_t sequence) {
        const auto found =
            std::ranges::find(instance.state.open_steps, sequence, &OpenStep::sequence);
        return found == instance.state.open_steps.end() ? nullptr : &*found;
    }

    static const OpenTimer* find_timer(const OpenStep& step, std::uint32_t boundary_timer) {
        const auto found =
            std::ranges::find(step.timers, boundary_timer, &OpenTimer::boundary_timer);
        return found == step.timers.end() ? nullptr : &*found;
    }

    const BoundaryTimer* boundary(const OpenStep& step, const OpenTimer& timer) const {
        const Step* found = definition_ == nullptr ? nullptr : definition_->find_step(step.step_id);
        if (found == nullptr || timer.boundary_timer >= found->boundary_timers.size()) {
            return nullptr;
        }
        return &found->boundary_timers[timer.boundary_timer];
    }

    void find(const OpenStep& step, const std::string& what) {
        findings_.add("a timer of " + step.step_id + " of " + named(after_.key) + " " + what);
    }

    void check_before(const OpenStep& step) {
        const OpenStep* still = find_open(after_, step.sequence);
        if (still == nullptr) return check_interrupted(step);
        if (is_terminal(after_.status)) return;
        for (const OpenTimer& timer : step.timers) {
            const OpenTimer* kept = find_timer(*still, timer.boundary_timer);
            if (kept == nullptr) {
                check_fired(step, timer);
            } else if (kept->fire_at != timer.fire_at) {
                find(step, "was moved");
            }
        }
        for (const OpenTimer& timer : still->timers) {
            if (find_timer(step, timer.boundary_timer) == nullptr) find(step, "came back");
        }
    }

    // It has run beside its step, which goes on.
    void check_fired(const OpenStep& step, const OpenTimer& timer) {
        if (timer.fire_at > at_) find(step, "has fired early");
        const BoundaryTimer* meant = boundary(step, timer);
        if (meant == nullptr) return;
        if (meant->interrupting) return find(step, "has fired and left its step open");
        const Step* target = definition_->find_step(meant->target_step_id);
        if (target == nullptr || target->type == StepType::join_gateway) return;
        if (!is_entered(meant->target_step_id)) find(step, "has fired and led nowhere");
    }

    bool is_entered(const std::string& step_id) const {
        const auto is_meant = [&](const auto& place) {
            return place.step_id == step_id;
        };
        const bool is_open =
            std::ranges::any_of(after_.state.open_steps, [&](const OpenStep& step) {
                return is_meant(step) && step.sequence > before_->state.sequence;
            });
        if (is_open || std::ranges::any_of(after_.state.pending_tokens, is_meant)) return true;
        bool is_over = false;
        for_each_of(ledger_.rows().history, after_.key, [&](const StepExecution& line) {
            const bool is_new = line.key.id.value.sequence() > before_->state.sequence;
            is_over = is_over || (is_new && is_meant(line));
        });
        return is_over;
    }

    void check_interrupted(const OpenStep& step) {
        const StepExecutionId id{after_.key.id.value.with_sequence(step.sequence)};
        const StepExecution* line = ledger_.find(StepExecutionKey{id, after_.key.workspace_id});
        const bool is_interrupted =
            line != nullptr && line->failure_reason == "interrupted by boundary timer";
        if (!is_interrupted) return;
        const bool is_due = std::ranges::any_of(step.timers, [&](const OpenTimer& timer) {
            const BoundaryTimer* meant = boundary(step, timer);
            return timer.fire_at <= at_ && (meant == nullptr || meant->interrupting);
        });
        if (!is_due) find(step, "has interrupted it early");
    }

    // All that the definition says, each at its time.
    void check_new(const OpenStep& step) {
        const Step* found = definition_ == nullptr ? nullptr : definition_->find_step(step.step_id);
        if (found == nullptr) return;
        if (step.timers.size() != found->boundary_timers.size()) find(step, "is missing");
        for (const OpenTimer& timer : step.timers) {
            const BoundaryTimer* meant = boundary(step, timer);
            if (meant == nullptr || step.started_at + meant->duration != timer.fire_at) {
                find(step, "has another time than its definition says");
            }
        }
    }

    const Instance& after_;
    const Instance* before_;
    const Instant at_;
    const Ledger& ledger_;
    const Definition* definition_;
    Findings& findings_;
};

}  // namespace

void check_timers(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const RowChange<Instance>& change : changes.instances) {
        if (change.after == nullptr) continue;
        TimerCheck(change, changes.at, ledger, findings).check();
    }
}

}  // namespace millrace::sim

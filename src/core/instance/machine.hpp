#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "core/instance/instance_effects.hpp"
#include "core/variables/open_variables.hpp"
#include "core/work_meter.hpp"

namespace millrace {

// No store keeps U+0000 in a text, which expressions and definitions of older programs may bring:
// it is shown as JSON writes it.
std::string without_nul(std::string text);

// One run of the state machine over one instance: advance() feeds it an event and takes the
// effects. Its parts lie in seven files: machine.cpp moves tokens from step to step, steps.cpp
// enters each type of step, joins.cpp knows gateways and joins, closing.cpp ends steps and
// instances, resuming.cpp stops and goes on as people ask, changing.cpp changes variables,
// chaining.cpp knows a chained start that was put off.
class Machine {
public:
    Machine(const Definition& definition, Instance instance, Instant now, WorkMeter& meter,
            std::int32_t automatic_steps);

    static constexpr std::string_view kNoSuchStep = "its definition has no step of that name";

    const Instance& instance() const { return effects_.instance; }

    // Null when no such step is open.
    OpenStep* find_open(std::uint32_t sequence);
    OpenStep* find_open(std::string_view step_id);

    // changing.cpp
    // too_large when the variables would grow beyond a limit, internal when the stored ones cannot
    // be read; nothing has changed then.
    Status merge_variables(const json::Value& changes, std::uint32_t by_sequence);

    // A token that is to enter a step. `first_job` as Job::first_sequence.
    void send(std::string step_id, std::vector<std::uint32_t> activations,
              std::uint32_t first_job = 0);

    struct Closing {
        StepExecutionStatus status = StepExecutionStatus::completed;
        std::string failure_reason{};
        std::optional<JobState> job_status{};
        std::optional<Try> last_try{};
        std::string completed_by{};
    };

    // Ends a step and sends its token on, or ends the token where nothing follows. When the way on
    // cannot be decided, the instance fails; the step too, if deciding is all it does.
    void complete_step(std::uint32_t sequence, Closing closing);
    // Ends a step and sends its token somewhere else.
    void interrupt_step(std::uint32_t sequence, Closing closing, std::string target_step_id);
    // Takes a timer that has fired off a step that goes on.
    void spend_timer(std::uint32_t sequence, std::uint32_t timer_sequence);
    void fail_instance(std::uint32_t sequence, Closing closing);
    // The stored state and the definition do not fit together, which no program of ours has done.
    // The instance fails, whatever it was about to do; others go on.
    void fail_unfit(std::uint32_t sequence, std::string_view reason);
    void cancel_instance(std::string reason);
    // Notes how a try of the step's job has ended.
    void keep_try(OpenStep& step, Try ended);

    // chaining.cpp
    // Begins an instance whose start was put off, or ends one whose chained start was, with that.
    void begin_pending_start();
    // That start can never be: an instance that has not begun fails, a parent ends without it.
    void fail_pending_start(std::string reason);
    // Sends the first token.
    void begin();

    // resuming.cpp
    // Enters again what a failure has stopped. internal: the definition lacks a step of it.
    Status retry_instance();
    void suspend_instance();
    void resume_instance();
    // changing.cpp
    // Replaces variables, and removes some, of an instance that may be over.
    Status change_variables(const json::Value& changes, const std::vector<std::string>& removed);

    // Moves tokens until none is on its way, then puts status and ends right.
    void run();

    InstanceEffects take_effects();

private:
    struct Token {
        std::string step_id{};
        std::vector<std::uint32_t> activations{};
        std::uint32_t first_job = 0;
    };

    Instance& mutable_instance() { return effects_.instance; }
    InstanceState& state() { return effects_.instance.state; }
    std::uint32_t next_sequence() { return ++state().sequence; }

    // steps.cpp
    void enter(Token token);
    OpenStep& open(const Step& step, std::vector<std::uint32_t> activations);
    std::int32_t count_visit(const std::string& step_id);
    TimerKey timer_key(const OpenTimer& timer) const;
    void enter_service_task(const Step& step, OpenStep& opened, std::uint32_t first_job);
    void enter_user_task(const Step& step, OpenStep& opened);
    void schedule_timers(const Step& step, OpenStep& opened);
    void run_transformation(const Step& step, std::uint32_t sequence);
    Status transform(const Step& step, OpenVariables& variables);
    std::optional<std::string> limit_reached(const Step& step, const Token& token);

    // resuming.cpp
    bool knows_all_steps() const;
    void reopen(OpenStep stopped);
    void leave(OpenStep done);

    // machine.cpp
    // The step that follows; empty for none. An error says why no way can be chosen.
    Result<std::string> choose_next(const Step& step);
    void go_on(std::string next_step_id, const std::vector<std::uint32_t>& activations);
    bool writes_too_much() const;

    // changing.cpp
    // An error when what is stored is no object.
    Result<OpenVariables*> open_variables();
    // Makes the instance's text say what its steps have set.
    void write_variables();
    // How many open jobs need a copy of the variables before those change.
    std::size_t jobs_without_variables(std::uint32_t except_sequence) const;
    void store_job_variables(std::uint32_t except_sequence);
    void replace_variables(Variables variables, std::uint32_t by_sequence);

    // chaining.cpp
    void drop_pending_start();
    void pause_pending_start();
    void resume_pending_start();

    // joins.cpp
    void enter_gateway(const Step& step, std::uint32_t sequence);
    void arrive(const Step& join, Token token);
    void end_token(const std::vector<std::uint32_t>& activations);
    void settle(std::uint32_t activation);
    bool has_live_token(std::uint32_t activation) const;
    Activation* find_activation(std::uint32_t sequence);

    // closing.cpp
    void close(OpenStep& step, Closing closing);
    void end_user_task(UserTaskEnd end);
    void close_all_as_skipped();
    void keep_tokens();
    void remove_open(std::uint32_t sequence);
    void complete_instance();
    void update_status();

    const Definition& definition_;
    const Instant now_;
    WorkMeter& meter_;
    InstanceEffects effects_;
    std::vector<Token> tokens_;               // Those on their way; the last one moves next.
    std::optional<OpenVariables> variables_;  // Parsed when somebody looks inside.
    int variables_written_ = 0;               // How often.
};

}  // namespace millrace

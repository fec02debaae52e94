#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "store/effects.hpp"
#include "store/footprint.hpp"
#include "store/working_set.hpp"

namespace millrace {

// What a command decides: what becomes true, and what its caller is told once it has.
template <class Answer>
struct Decision {
    Effects effects{};
    Answer answer{};
    // Not empty: nothing is decided, these rows are needed first. Only what BatchStore::extend
    // gives may be asked for, and only once.
    Footprint missing{};
};

// A request on its way to its commit, whatever its type.
class Command {
public:
    virtual ~Command() = default;

    // For metrics: instance.start, instance.complete_job and so on.
    virtual std::string_view name() const = 0;

    virtual const Footprint& rows_needed() const = 0;

    // Whether it does as much as a whole batch: then it has one for itself.
    virtual bool is_bulky() const = 0;
    // Whether the process asks itself: nobody waits for it when the server stops.
    virtual bool is_duty() const { return false; }
    // Whether it takes rows that cannot be read for absent. Any other command is refused then, with
    // internal; one that looks after many rows has to go on with the rest.
    virtual bool passes_over_unreadable_rows() const { return false; }

    struct Attempt {
        Effects effects{};
        Footprint missing{};
    };

    // Decides on values. Called once for each try of its batch, twice when rows were missing; the
    // last call counts.
    virtual Result<Attempt> attempt(const WorkingSet& rows, Instant now) = 0;

    // Tells the caller, exactly once: after the commit, or with the error that ended the tries.
    virtual void finish(const Status& status) = 0;
};

template <class Request>
using AnswerOf = std::remove_cvref_t<decltype(decide(std::declval<const Request&>(),
                                                     std::declval<const WorkingSet&>(), Instant{})
                                                  ->answer)>;

// A request that has a batch for itself says so by a constant of that name.
template <class Request>
constexpr bool is_bulky_request() {
    if constexpr (requires { Request::kIsBulky; }) return Request::kIsBulky;
    return false;
}

// The process asks itself and nobody waits for the answer: a server that stops leaves it to the
// next one. A request says so by a constant of that name.
template <class Request>
constexpr bool is_duty_request() {
    if constexpr (requires { Request::kIsDuty; }) return Request::kIsDuty;
    return false;
}

// Makes a Command of any request that has `footprint(request)`, `decide(request, rows, now)` and a
// `kName`.
template <class Request>
class PendingCommand final : public Command {
public:
    using Answer = AnswerOf<Request>;
    using Done = std::function<void(Result<Answer>)>;

    PendingCommand(Request request, Done done)
        : request_(std::move(request)), done_(std::move(done)), rows_needed_(footprint(request_)) {}

    // A request whose name depends on what came of it has a function for that.
    std::string_view name() const override {
        if constexpr (requires(const Answer& answer) { Request::name_of(answer); }) {
            if (answer_) return Request::name_of(*answer_);
        }
        return Request::kName;
    }

    const Footprint& rows_needed() const override { return rows_needed_; }

    bool is_bulky() const override { return is_bulky_request<Request>(); }
    bool is_duty() const override { return is_duty_request<Request>(); }

    // A request says so by a constant of that name.
    bool passes_over_unreadable_rows() const override {
        return requires {
            Request::kPassesOverUnreadableRows;
        };
    }

    Result<Attempt> attempt(const WorkingSet& rows, Instant now) override {
        Result<Decision<Answer>> decision = decide(request_, rows, now);
        if (!decision) return decision.error();
        answer_ = std::move(decision->answer);
        return Attempt{std::move(decision->effects), std::move(decision->missing)};
    }

    void finish(const Status& status) override {
        if (!status) return done_(status.error());
        done_(std::move(*answer_));
    }

private:
    Request request_;
    Done done_;
    Footprint rows_needed_;
    std::optional<Answer> answer_{};
};

}  // namespace millrace

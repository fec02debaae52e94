#pragma once

#include <string>
#include <vector>

#include "queue/remote_runs_listener.hpp"

namespace millrace {

// Writes down what it is told, a word for each.
class ToldListener final : public RemoteRunsListener {
public:
    void on_start_sent(const Execution&) override { sent += 1; }
    void on_start_failed(const Execution&, const StartAnswer& answer) override {
        told.push_back("start failed " + answer.code);
    }
    void on_start_recorded(const RecordedStart& start) override {
        constexpr const char* kNames[] = {"dispatched", "released",  "in doubt",
                                          "failed",     "cancelled", "lost"};
        told.emplace_back(kNames[static_cast<int>(start.record)]);
        if (start.was_missing) told.emplace_back("record was missing");
    }
    void on_recovered(std::size_t count) override { recovered += count; }
    void on_recoveries_exhausted(const Execution&) override {
        told.emplace_back("recoveries exhausted");
    }
    void on_cancel_passed_on(const Execution&) override { told.emplace_back("cancel passed on"); }
    void on_look_failed(const Execution&, const CallFailure& failure) override {
        told.push_back("look failed " + failure.code);
    }
    void on_run_ended(const Execution& execution) override {
        told.push_back("ended " + std::string(to_string(execution.queue_status)));
    }
    void on_listing_failed(const std::string&, const CallFailure& failure) override {
        told.push_back("listing failed " + failure.code);
    }
    void on_breaker(const std::string& target, Breaker::State state) override {
        breaker.push_back(target + " " + std::string(to_string(state)));
    }
    void on_trouble(const Execution&, const Error&) override { told.emplace_back("trouble"); }

    std::vector<std::string> told{};
    std::vector<std::string> breaker{};
    int sent = 0;
    std::size_t recovered = 0;
};

}  // namespace millrace

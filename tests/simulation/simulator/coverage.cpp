#include "simulator/coverage.hpp"

#include <algorithm>

namespace millrace::sim {

void Coverage::note(const Told& told, const std::vector<Fault>& faults) {
    Cells& cells = cells_[std::string(told.command)][std::string(to_string(told.outcome))];
    if (faults.empty()) cells.back() += 1;
    for (const Fault fault : faults) cells.at(static_cast<std::size_t>(fault)) += 1;
}

std::string Coverage::table() const {
    std::string text;
    for (const auto& [command, outcomes] : cells_) {
        for (const auto& [outcome, cells] : outcomes) {
            text += command + " " + outcome + ": none " + std::to_string(cells.back());
            for (std::size_t fault = 0; fault < kFaultCount; ++fault) {
                text += ", " + std::string(to_string(static_cast<Fault>(fault))) + " " +
                        std::to_string(cells.at(fault));
            }
            text += "\n";
        }
    }
    return text;
}

std::vector<std::string> Coverage::unreached() const {
    std::vector<std::string> lines;
    for (const CommandRule& rule : command_rules()) {
        for (const std::string_view outcome : common_outcomes()) add_gaps(rule, outcome, lines);
        for (const std::string_view outcome : rule.refusals) add_gaps(rule, outcome, lines);
    }
    for (const auto& [command, outcomes] : cells_) {
        const bool is_known = std::ranges::any_of(
            command_rules(), [&](const CommandRule& rule) { return rule.command == command; });
        if (!is_known) lines.push_back(command + " is not in the list of commands");
    }
    return lines;
}

void Coverage::add_gaps(const CommandRule& rule, std::string_view outcome,
                        std::vector<std::string>& lines) const {
    const Cells cells = cells_of(std::string(rule.command), std::string(outcome));
    std::string gaps;
    for (std::size_t place = 0; place < cells.size(); ++place) {
        const bool is_fault = place < kFaultCount;
        const auto fault = is_fault ? std::optional(static_cast<Fault>(place)) : std::nullopt;
        if (cells.at(place) > 0 || !is_reachable(rule.command, outcome, fault)) continue;
        gaps += " " + std::string(fault ? to_string(*fault) : "no fault");
    }
    if (gaps.empty()) return;
    lines.push_back(std::string(rule.command) + " " + std::string(outcome) + ":" + gaps);
}

Coverage::Cells Coverage::cells_of(const std::string& command, const std::string& outcome) const {
    const auto outcomes = cells_.find(command);
    if (outcomes == cells_.end()) return {};
    const auto cells = outcomes->second.find(outcome);
    return cells == outcomes->second.end() ? Cells{} : cells->second;
}

}  // namespace millrace::sim

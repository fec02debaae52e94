#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/coverage_rules.hpp"
#include "simulator/fault.hpp"
#include "simulator/observer.hpp"

namespace millrace::sim {

// What runs have reached: each command with each outcome under each fault that met its replica
// while it was under way.
class Coverage {
public:
    void note(const Told& told, const std::vector<Fault>& faults);

    // One line for each command and outcome.
    std::string table() const;
    // Cells that can be reached and were not, one line for each.
    std::vector<std::string> unreached() const;

private:
    // The last place is for calls that met no fault.
    using Cells = std::array<std::uint64_t, kFaultCount + 1>;

    void add_gaps(const CommandRule& rule, std::string_view outcome,
                  std::vector<std::string>& lines) const;
    Cells cells_of(const std::string& command, const std::string& outcome) const;

    std::map<std::string, std::map<std::string, Cells>> cells_{};
};

}  // namespace millrace::sim

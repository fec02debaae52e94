#include "observe/process_stats.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

namespace millrace::observe {

namespace {

constexpr double kTicksPerSecond = 100;  // USER_HZ, the same on every architecture of Linux we run.

// The number behind `label` at the start of a line of a file; 0 when there is none.
double number_after(const char* path, std::string_view label) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(label)) continue;
        double number = 0;
        std::istringstream(line.substr(label.size())) >> number;
        return number;
    }
    return 0;
}

// Field 22 of /proc/self/stat: the start, in ticks since boot. The second field may hold spaces,
// so counting begins behind its closing parenthesis.
double start_ticks() {
    std::ifstream file("/proc/self/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    std::string skipped;
    for (int field = 3; field < 22; ++field) fields >> skipped;
    double ticks = 0;
    fields >> ticks;
    return ticks;
}

double count_open_files() {
    std::error_code error;
    const std::filesystem::directory_iterator files("/proc/self/fd", error);
    if (error) return 0;
    // The directory that is being read is one of them.
    return static_cast<double>(std::distance(begin(files), end(files)) - 1);
}

}  // namespace

ProcessStats read_process_stats() {
    return {
        .cpu_seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC,
        .resident_bytes = number_after("/proc/self/status", "VmRSS:") * 1024,
        .virtual_bytes = number_after("/proc/self/status", "VmSize:") * 1024,
        .open_files = count_open_files(),
        .open_files_max = number_after("/proc/self/limits", "Max open files"),
        .started_at_seconds = number_after("/proc/stat", "btime") + start_ticks() / kTicksPerSecond,
    };
}

}  // namespace millrace::observe

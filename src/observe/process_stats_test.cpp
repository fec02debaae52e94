#include "observe/process_stats.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

namespace millrace::observe {
namespace {

TEST(ProcessStatsTest, ReadsWhatTheKernelSays) {
    const ProcessStats stats = read_process_stats();
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const double now_seconds = std::chrono::duration<double>(now).count();
    EXPECT_GT(stats.cpu_seconds, 0);
    EXPECT_GT(stats.resident_bytes, 1e5);
    EXPECT_GT(stats.virtual_bytes, stats.resident_bytes);
    EXPECT_GE(stats.open_files_max, stats.open_files);
    EXPECT_LE(stats.started_at_seconds, now_seconds + 1);
    EXPECT_GT(stats.started_at_seconds, now_seconds - 3600);
}

TEST(ProcessStatsTest, CountsOpenFiles) {
    const double before = read_process_stats().open_files;
    const std::ifstream file("/proc/self/stat");
    EXPECT_EQ(read_process_stats().open_files, before + 1);
}

}  // namespace
}  // namespace millrace::observe

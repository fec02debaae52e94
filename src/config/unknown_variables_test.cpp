#include "config/unknown_variables.hpp"

#include <gtest/gtest.h>

#include "config/settings.hpp"

namespace millrace {
namespace {

using Names = std::vector<std::string>;

TEST(UnknownVariables, AreThoseThatLookLikeOurs) {
    EXPECT_EQ(
        unknown_variables({"PATH", "MILLRACE_TREADS", "MILLRACE_RESTPORT", "WE_NOBODY",
                           "MILLRACE_THREADS_FILE", "MILLRACE_"}),
        (Names{"MILLRACE_", "MILLRACE_RESTPORT", "MILLRACE_THREADS_FILE", "MILLRACE_TREADS"}));
}

TEST(UnknownVariables, AreNoSettings) {
    Names names;
    for (const Setting& setting : settings()) {
        names.emplace_back(setting.environment);
        if (setting.is_secret) names.push_back(names.back() + "_FILE");
    }
    EXPECT_EQ(unknown_variables(names), Names{});
}

TEST(UnknownVariables, AreNotThoseOfOtherProgramsOfOursNorOfKubernetes) {
    EXPECT_EQ(
        unknown_variables(
            {"MILLRACE_CONFIG", "MILLRACE_SERVER", "MILLRACE_API_KEY", "MILLRACE_WORKSPACE",
             "MILLRACE_JOB_ID", "MILLRACE_PORT", "MILLRACE_TEST_POSTGRES", "MILLRACE_SERVICE_HOST",
             "MILLRACE_SERVICE_PORT_REST", "MILLRACE_PORT_8080_TCP_ADDR", "MILLRACE_CONSOLE_PORT"}),
        Names{});
}

}  // namespace
}  // namespace millrace

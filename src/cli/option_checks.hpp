#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace CLI {
class Option;
}  // namespace CLI

// What may stand behind an option. Whoever gives something else is told what fits.
namespace millrace::cli {

// One of these words, in any case; the command gets it as it is written here. Shells complete them.
CLI::Option* expect_one_of(CLI::Option* option, const std::vector<std::string>& words);

// The words of an option of expect_one_of; none for others.
std::vector<std::string> words_of(CLI::Option* option);

CLI::Option* expect_whole_number(CLI::Option* option, std::int64_t min,
                                 std::int64_t max = std::numeric_limits<std::int32_t>::max());

// Whole or with decimals.
CLI::Option* expect_number_above_zero(CLI::Option* option);

// A time as in RFC 3339. Only its shape is looked at; the server knows the calendar.
CLI::Option* expect_time(CLI::Option* option);

}  // namespace millrace::cli

#include "cli/yaml.hpp"

#include <gtest/gtest.h>

#include "base/json/parse.hpp"

namespace millrace::cli {
namespace {

struct Row {
    const char* json;
    const char* yaml;
};

TEST(Yaml, IsInBlockStyleAndQuotesWhatCouldBeTakenForSomethingElse) {
    for (const Row& row : {
             Row{R"({})", "{}\n"},
             Row{R"([])", "[]\n"},
             Row{R"(5)", "5\n"},
             Row{R"({"a":1,"b":null,"c":true,"d":1.5})", "a: 1\nb: null\nc: true\nd: 1.5\n"},
             Row{R"({"x":1e25})", "x: 1.0e+25\n"},
             Row{R"({"s":"plain","t":"two words","u":"","v":"2026-01-01"})",
                 "s: plain\nt: \"two words\"\nu: \"\"\nv: \"2026-01-01\"\n"},
             Row{R"({"a":"true","b":"No","c":"null","d":"1","e":"a: b","f":"#x","g":"line\nline"})",
                 "a: \"true\"\nb: \"No\"\nc: \"null\"\nd: \"1\"\ne: \"a: b\"\nf: \"#x\"\n"
                 "g: \"line\\nline\"\n"},
             Row{R"({"key with space":1,"yes":2})", "\"key with space\": 1\n\"yes\": 2\n"},
             Row{R"({"a":{"b":[1,{"c":2,"d":[]}]},"e":{}})",
                 "a:\n  b:\n    - 1\n    - c: 2\n      d: []\ne: {}\n"},
             Row{R"([[1,2],[{"a":1}]])", "- - 1\n  - 2\n- - a: 1\n"},
         }) {
        EXPECT_EQ(to_yaml(*json::parse(row.json)), row.yaml) << row.json;
    }
}

}  // namespace
}  // namespace millrace::cli

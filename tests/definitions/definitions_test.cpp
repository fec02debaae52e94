#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/definition/parse_definition.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = MILLRACE_DEFINITIONS_FOLDER;
const fs::path kReference = MILLRACE_DEFINITIONS_REFERENCE;

std::string read(const fs::path& path) {
    std::ifstream in(path);
    EXPECT_TRUE(in) << path;
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The names of the .json files, without the ending; each is one test.
std::vector<std::string> cases_in(const char* folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(kFolder / folder)) {
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
    }
    std::ranges::sort(names);
    return names;
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
    return info.param;
}

class ValidDefinition : public testing::TestWithParam<std::string> {};

TEST_P(ValidDefinition, IsAcceptedAsSentAndAsStored) {
    const Result<json::Value> document =
        json::parse(read(kFolder / "valid" / (GetParam() + ".json")));
    ASSERT_TRUE(document) << document.error().detail;
    const Result<DefinitionPtr> definition = parse_definition(*document);
    ASSERT_TRUE(definition) << definition.error().detail;

    const json::Value stored = with_version(*document, 3);
    const Result<DefinitionPtr> again = parse_definition(stored);
    ASSERT_TRUE(again) << json::write(stored) << "\n" << again.error().detail;
    EXPECT_EQ((*again)->steps.size(), (*definition)->steps.size());
    EXPECT_EQ(canonical_text(stored), canonical_text(*document));
    EXPECT_EQ(with_version(stored, 3), stored);
}

INSTANTIATE_TEST_SUITE_P(Files, ValidDefinition, testing::ValuesIn(cases_in("valid")), name_of);

class InvalidDefinition : public testing::TestWithParam<std::string> {};

// Beside each file lies what is expected: "path: message" per line. A message may go on, as those
// of the expression parser do.
TEST_P(InvalidDefinition, IsRefusedForEveryReason) {
    const Result<json::Value> document =
        json::parse(read(kFolder / "invalid" / (GetParam() + ".json")));
    ASSERT_TRUE(document) << document.error().detail;
    const Result<DefinitionPtr> definition = parse_definition(*document);
    ASSERT_FALSE(definition);
    const Error& error = definition.error();
    EXPECT_EQ(error.code, ErrorCode::invalid_argument);

    const auto expected = lines_of(read(kFolder / "invalid" / (GetParam() + ".expected")));
    ASSERT_EQ(error.details.size(), expected.size()) << error.detail;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::string line = error.details[i].path + ": " + error.details[i].message;
        EXPECT_TRUE(line.starts_with(expected[i])) << line << "\nexpected " << expected[i];
    }
    const bool is_shape = GetParam().starts_with("shape_");
    EXPECT_TRUE(error.detail.starts_with(is_shape ? "parse error: parse: "
                                                  : "validation error: validation errors:\n  "))
        << error.detail;
}

INSTANTIATE_TEST_SUITE_P(Files, InvalidDefinition, testing::ValuesIn(cases_in("invalid")), name_of);

// The blocks of the reference page that are marked as JSON.
std::vector<std::string> examples_in(const std::string& page) {
    constexpr std::string_view kOpen = "```json\n";
    std::vector<std::string> examples;
    for (std::size_t at = page.find(kOpen); at != page.npos; at = page.find(kOpen, at)) {
        at += kOpen.size();
        examples.push_back(page.substr(at, page.find("```", at) - at));
    }
    return examples;
}

TEST(DefinitionsReference, ShowsExamplesThatAreAccepted) {
    const std::vector<std::string> examples = examples_in(read(kReference));
    EXPECT_GE(examples.size(), 3u);
    for (const std::string& example : examples) {
        const Result<json::Value> document = json::parse(example);
        ASSERT_TRUE(document) << document.error().detail << "\n" << example;
        const Result<DefinitionPtr> definition = parse_definition(*document);
        EXPECT_TRUE(definition) << definition.error().detail << "\n" << example;
    }
}

}  // namespace
}  // namespace millrace

// Goal: the page that users read tells the truth, and leaves nothing out.
// Method: run every row of its tables that has an expression and a result; look for every function
// and method in them.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/expression/expression.hpp"
#include "core/expression/functions.hpp"
#include "core/expression/methods.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

const Instant kNow = std::chrono::sys_days(std::chrono::year(2026) / 3 / 1) + 12h + 30min + 45s;

struct Example {
    std::string expression;
    std::string result;
};

std::string read_page() {
    std::ifstream file(MILLRACE_EXPRESSIONS_REFERENCE);
    return {std::istreambuf_iterator<char>(file), {}};
}

// `\|` is a bar inside a cell of a table.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line.compare(i, 2, "\\|") == 0) {
            cell += line[++i];
        } else if (line[i] == '|') {
            cells.push_back(std::exchange(cell, {}));
        } else {
            cell += line[i];
        }
    }
    return cells;
}

// The code of ` `x` ` or ` `` `x` `` `; other text as it is.
std::string code_of(std::string cell) {
    const auto is_blank = [](char c) {
        return c == ' ';
    };
    const auto trim = [&](std::string text) {
        text.erase(text.begin(), std::ranges::find_if_not(text, is_blank));
        while (!text.empty() && text.back() == ' ') text.pop_back();
        return text;
    };
    cell = trim(std::move(cell));
    for (const std::string quote : {"``", "`"}) {
        if (cell.starts_with(quote) && cell.ends_with(quote) && cell.size() > 2 * quote.size()) {
            return trim(cell.substr(quote.size(), cell.size() - 2 * quote.size()));
        }
    }
    return cell;
}

std::vector<Example> examples_of(const std::string& page) {
    std::vector<Example> examples;
    bool in_examples = false;
    std::size_t begin = 0;
    while (begin < page.size()) {
        const std::size_t end = std::min(page.find('\n', begin), page.size());
        const std::string line = page.substr(begin, end - begin);
        begin = end + 1;
        if (!line.starts_with("|")) {
            in_examples = false;
        } else if (line.starts_with("| expression | result |")) {
            in_examples = true;
        } else if (in_examples && !line.starts_with("|---")) {
            const std::vector<std::string> cells = cells_of(line);
            examples.push_back({code_of(cells.at(0)), code_of(cells.at(1))});
        }
    }
    return examples;
}

json::Value variables_of(const std::string& page) {
    const std::string opening = "```json\n";
    const std::size_t begin = page.find(opening) + opening.size();
    const auto variables = json::parse(page.substr(begin, page.find("```", begin) - begin));
    return variables ? *variables : json::Value();
}

std::string outcome_of(const Example& example, const json::Value& variables) {
    const auto expression = Expression::compile(example.expression);
    if (!expression) return "bad";
    const auto result = expression->evaluate(variables, kNow);
    return result ? json::write(*result) : "error";
}

TEST(ExpressionReferencePage, EveryExampleIsTrue) {
    const std::string page = read_page();
    const json::Value variables = variables_of(page);
    ASSERT_TRUE(variables.is_object());
    const std::vector<Example> examples = examples_of(page);
    EXPECT_GT(examples.size(), 150u);
    for (const Example& example : examples) {
        EXPECT_EQ(outcome_of(example, variables), example.result) << example.expression;
    }
}

TEST(ExpressionReferencePage, EveryFunctionHasAnExample) {
    std::string all;
    for (const Example& example : examples_of(read_page())) all += example.expression + "\n";
    for (const auto family : {expression::array_functions(), expression::bit_functions(),
                              expression::conversion_functions(), expression::map_functions(),
                              expression::number_functions(), expression::text_functions(),
                              expression::time_functions()}) {
        for (const auto& function : family) {
            EXPECT_NE(all.find(std::string(function.name) + "("), std::string::npos)
                << function.name;
        }
    }
    for (const auto& function : expression::predicate_functions()) {
        EXPECT_NE(all.find(std::string(function.name) + "("), std::string::npos) << function.name;
    }
}

TEST(ExpressionReferencePage, NamesEveryMethod) {
    const std::string page = read_page();
    for (const auto& method : expression::methods()) {
        EXPECT_NE(page.find(method.name), std::string::npos) << method.name;
    }
}

}  // namespace
}  // namespace millrace

#include "store/postgres/expected_indexes.hpp"

#include <set>
#include <sstream>

namespace millrace::postgres {

namespace {

// The name behind CREATE INDEX or DROP INDEX, with or without the words that may stand between.
std::string index_name(std::istream& words) {
    std::string word;
    while (words >> word) {
        if (word != "CONCURRENTLY" && word != "IF" && word != "NOT" && word != "EXISTS") break;
    }
    return word.substr(0, word.find_first_of(";,("));
}

void read_text(std::string_view text, std::set<std::string>& names) {
    std::istringstream lines{std::string(text)};
    std::string line;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string verb;
        std::string noun;
        words >> verb >> noun;
        if (noun == "UNIQUE") words >> noun;
        if (noun != "INDEX") continue;
        if (verb == "CREATE") names.insert(index_name(words));
        if (verb == "DROP") names.erase(index_name(words));
    }
}

}  // namespace

std::vector<std::string> expected_indexes(std::span<const KnownMigration> migrations) {
    std::set<std::string> names;
    for (const KnownMigration& migration : migrations) read_text(migration.text, names);
    return {names.begin(), names.end()};
}

}  // namespace millrace::postgres

#include "config/config_file.hpp"

#include <yaml-cpp/yaml.h>

#include <set>

namespace millrace {

namespace {

constexpr int kDepthMax = 8;  // No setting is deeper; whoever nests more has no setting in mind.

int line_of(const YAML::Mark& mark) {
    return mark.line + 1;
}

// Walks the maps of a document.
class Entries {
public:
    void add(const YAML::Node& map, const std::string& prefix, int depth) {
        std::set<std::string> seen;
        for (const auto& pair : map) {
            const int line = line_of(pair.first.Mark());
            if (!pair.first.IsScalar()) {
                note(line, prefix, "a key must be a name");
                continue;
            }
            const std::string key = prefix + pair.first.Scalar();
            if (!seen.insert(key).second) note(line, key, "stands here twice");
            add_value(pair.second, key, line, depth);
        }
    }

    Result<std::vector<FileEntry>> take() && {
        if (problems_.empty()) return std::move(entries_);
        return Error{ErrorCode::invalid_argument, "The file cannot be used.", std::move(problems_)};
    }

private:
    void add_value(const YAML::Node& value, const std::string& key, int line, int depth) {
        if (value.IsMap() && depth == kDepthMax) {
            note(line, key, "is nested too deep");
        } else if (value.IsMap()) {
            add(value, key + ".", depth + 1);
        } else if (value.IsScalar() && !value.Scalar().empty()) {
            entries_.push_back({.key = key, .value = value.Scalar(), .line = line});
        } else if (value.IsSequence()) {
            entries_.push_back({.key = key, .line = line, .is_list = true});
        }
    }

    void note(int line, const std::string& key, std::string_view what) {
        problems_.push_back(
            {key, "line " + std::to_string(line) + ": " + key + ": " + std::string(what)});
    }

    std::vector<FileEntry> entries_;
    std::vector<ErrorDetail> problems_;
};

Error broken(int line, const std::string& what) {
    const std::string where = "line " + std::to_string(line);
    return {
        ErrorCode::invalid_argument, "The file cannot be used.", {{where, where + ": " + what}}};
}

}  // namespace

Result<std::vector<FileEntry>> parse_config_text(const std::string& text) try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    const YAML::Node root = documents.empty() ? YAML::Node() : documents.front();
    for (std::size_t n = 1; n < documents.size(); ++n) {
        if (documents[n].IsNull()) continue;
        return broken(line_of(documents[n].Mark()), "a second document, and one is read");
    }
    if (root.IsNull()) return std::vector<FileEntry>{};
    if (!root.IsMap()) return broken(line_of(root.Mark()), "expected settings like restPort: 8080");
    Entries entries;
    entries.add(root, "", 0);
    return std::move(entries).take();
} catch (const YAML::Exception& exception) {
    return broken(line_of(exception.mark), "this is no YAML: " + exception.msg);
}

}  // namespace millrace

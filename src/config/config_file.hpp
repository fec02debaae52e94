#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace millrace {

// One value of a configuration file. The key of a value inside a map is the map's, a dot, its own.
struct FileEntry {
    std::string key{};
    std::string value{};
    int line = 0;  // From 1.
    // A list is no value that any setting takes, but some names are known to have one.
    bool is_list = false;

    friend bool operator==(const FileEntry&, const FileEntry&) = default;
};

// The values of a YAML text, in its order; those without a value are left out. invalid_argument:
// it is no YAML, no map, several documents, or has a key twice; each problem names its line.
Result<std::vector<FileEntry>> parse_config_text(const std::string& text);

}  // namespace millrace

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/migrations.hpp"

// What `millrace doctor` looks at in a file of the embedded store. Facts only.
namespace millrace::sqlite {

struct Facts {
    std::string path{};
    bool is_there = false;
    std::string hidden{};      // Why nothing can be seen of it, as a sentence; all below is empty.
    std::string unwritable{};  // Why this user cannot write it.
    // The process that has the file; 0: none, -1: one that is not known.
    long holder = 0;
    std::string unreadable{};  // Why the schema could not be read.
    // What the check of all pages found first; "": nothing. Empty: they could not be read.
    std::optional<std::string> damage{};
    std::vector<MigrationStatus> migrations{};
    std::int64_t bytes = 0;
    std::int64_t log_bytes = 0;   // Of the write-ahead log beside it.
    std::int64_t bytes_free = 0;  // On the file system.
};

// Looks without changing anything, also while a server has the file. Reads all of it.
Facts examine(const std::string& name);

}  // namespace millrace::sqlite

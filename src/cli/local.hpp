#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "cli/option_shape.hpp"

namespace millrace::cli {

// Whether a server would take a definition, without asking one.
using CheckDefinition =
    std::function<Status(const json::Value& definition, bool allow_unknown_fields)>;

// A definition as JSON in which the same content has the same text: an upload of what has the text
// of the latest version makes no new one.
using CanonicalDefinition = std::function<std::string(const json::Value& definition)>;

// Files of the embedded store, where no server runs.
struct LocalData {
    // Copies a data directory into a backup. conflict: a server has it; not_found: there is none.
    std::function<Status(const std::string& data_directory, const std::string& file)> back_up{};
    // Whether a file is a sound backup.
    std::function<Status(const std::string& file)> check_backup{};
    // Makes a data directory of a backup. conflict: there is something in it.
    std::function<Status(const std::string& file, const std::string& data_directory)> restore{};
};

// How far a promotion is. `total` 0: it is not known.
struct PromotionStep {
    std::string what{};
    std::int64_t done = 0;
    std::int64_t total = 0;
};

// A table that is the same in both stores now.
struct PromotedRows {
    std::string table{};
    std::int64_t rows = 0;
    std::string checksum{};
};

// Copies the embedded store `from`, sqlite:PATH, to the PostgreSQL `to`, and compares them.
// unavailable: the same call goes on where it stopped.
using Promote = std::function<Result<std::vector<PromotedRows>>(
    const std::string& from, const std::string& to,
    const std::function<void(const PromotionStep&)>& on_step)>;

struct LocalKey {
    std::string store{};  // As `millrace serve --store` takes it.
    std::string name{};
    std::string role{};
    std::optional<std::string> workspace{};   // Absent: of all.
    std::optional<std::string> expires_at{};  // RFC 3339; absent: never.
    bool may_make_store = false;              // Otherwise not_found when there is none.
};

// Keys made in the store itself: the first one, before anybody can call a server that asks for one.
struct LocalKeys {
    // The object that POST /v1/keys answers, with the key. Absent: it cannot be done here.
    std::function<Result<json::Value>(const LocalKey& key)> create{};
};

// A store that a command opens itself. What is empty is found as `millrace serve` finds it.
struct LocalStore {
    std::string store{};
    std::string config_file{};
};

// The schema of a store. Both answer {"migrations": […], "pending": N, "problem": "…"}.
struct LocalMigrations {
    std::function<Result<json::Value>(const LocalStore& store)> status{};
    // Tells of each migration when it is applied.
    std::function<Result<json::Value>(const LocalStore& store,
                                      const std::function<void(std::string_view name)>& tell)>
        up{};
};

// What needs the rules or the store of the server, neither of which this layer knows: main passes
// it in.
struct Local {
    CheckDefinition check_definition{};
    CanonicalDefinition canonical_definition{};
    LocalData data{};
    LocalKeys keys{};
    Promote promote{};
    LocalMigrations migrations{};
    // What is good and bad about a store:
    // {"findings": [{"severity", "check", "finding", "advice"}, …], "problems": N, "warnings": N}.
    std::function<Result<json::Value>(const LocalStore& store)> examine{};
    // The options of `millrace serve`, for shells that complete them.
    std::vector<OptionShape> serve_options{};
};

}  // namespace millrace::cli

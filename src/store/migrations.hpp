#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace {

// A migration as this program has it.
struct KnownMigration {
    std::int64_t version = 0;
    std::string_view name{};
    std::string_view text{};
};

// One as the store remembers it.
struct AppliedMigration {
    std::int64_t version = 0;
    std::string name{};
    std::string checksum{};
    Instant applied_at{};

    friend bool operator==(const AppliedMigration&, const AppliedMigration&) = default;
};

// applied: as it is here. changed: applied with another text. unknown: applied by a newer program.
enum class MigrationState { applied, pending, changed, unknown };
std::string_view to_string(MigrationState state);

struct MigrationStatus {
    std::int64_t version = 0;
    std::string name{};
    MigrationState state = MigrationState::pending;
    std::optional<Instant> applied_at{};

    friend bool operator==(const MigrationStatus&, const MigrationStatus&) = default;
};

// Told the name of a migration when it has been applied.
using MigrationNote = std::function<void(std::string_view name)>;

// FNV-1a: against a file that was edited after it was applied, not against malice.
std::string migration_checksum(std::string_view text);

// Every migration that either side knows, by version.
std::vector<MigrationStatus> compare_migrations(std::span<const AppliedMigration> applied,
                                                std::span<const KnownMigration> known);

// conflict: this program must not use the store: it has migrations that are not known here, or
// others than those. Pending ones are no obstacle.
Status check_migrations(std::span<const MigrationStatus> migrations);

std::size_t count_pending(std::span<const MigrationStatus> migrations);

// The migrations of a dialect, which generated code has as a type of its own.
template <class Migrations>
std::vector<KnownMigration> known_migrations(const Migrations& migrations) {
    std::vector<KnownMigration> known;
    for (const auto& each : migrations) known.push_back({each.version, each.name, each.text});
    return known;
}

}  // namespace millrace

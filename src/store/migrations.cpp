#include "store/migrations.hpp"

#include <algorithm>
#include <map>

namespace millrace {

namespace {

Error newer_schema(const MigrationStatus& latest, std::string_view known) {
    return {ErrorCode::conflict,
            "The schema of the store has migration " + latest.name +
                ", but this program knows none after " + std::string(known) +
                ": a newer Millrace has migrated it. Use that version or a later one; to go back, "
                "restore a backup from before the upgrade."};
}

Error changed_migration(const MigrationStatus& changed) {
    return {ErrorCode::conflict,
            "Migration " + changed.name +
                " was applied with another text than this program has: another build has "
                "migrated the store. Use the build that did."};
}

}  // namespace

std::string_view to_string(MigrationState state) {
    switch (state) {
        case MigrationState::applied: return "APPLIED";
        case MigrationState::pending: return "PENDING";
        case MigrationState::changed: return "CHANGED";
        case MigrationState::unknown: return "UNKNOWN";
    }
    return "";
}

std::string migration_checksum(std::string_view text) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
    for (const char byte : text) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100'0000'01B3;
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (int shift = 60; shift >= 0; shift -= 4) hex += kDigits[hash >> shift & 0xF];
    return hex;
}

std::vector<MigrationStatus> compare_migrations(std::span<const AppliedMigration> applied,
                                                std::span<const KnownMigration> known) {
    std::map<std::int64_t, MigrationStatus> by_version;
    for (const KnownMigration& each : known) {
        by_version[each.version] = {.version = each.version, .name = std::string(each.name)};
    }
    for (const AppliedMigration& each : applied) {
        const auto here = std::ranges::find(known, each.version, &KnownMigration::version);
        const bool is_same = here != known.end() && migration_checksum(here->text) == each.checksum;
        by_version[each.version] = {.version = each.version,
                                    .name = each.name,
                                    .state = here == known.end() ? MigrationState::unknown
                                             : is_same           ? MigrationState::applied
                                                                 : MigrationState::changed,
                                    .applied_at = each.applied_at};
    }
    std::vector<MigrationStatus> all;
    for (auto& [version, status] : by_version) all.push_back(std::move(status));
    return all;
}

Status check_migrations(std::span<const MigrationStatus> migrations) {
    std::string_view known = "the beginning";
    const MigrationStatus* unknown = nullptr;
    for (const MigrationStatus& each : migrations) {
        if (each.state == MigrationState::unknown) {
            unknown = &each;
        } else {
            known = each.name;
        }
    }
    if (unknown != nullptr) return newer_schema(*unknown, known);
    const auto changed =
        std::ranges::find(migrations, MigrationState::changed, &MigrationStatus::state);
    return changed == migrations.end() ? ok() : Status(changed_migration(*changed));
}

std::size_t count_pending(std::span<const MigrationStatus> migrations) {
    return static_cast<std::size_t>(
        std::ranges::count(migrations, MigrationState::pending, &MigrationStatus::state));
}

}  // namespace millrace

#include "config/server_config.hpp"

#include <string_view>

namespace millrace {

namespace {

constexpr std::string_view kSqlitePrefix = "sqlite:";

}  // namespace

bool is_sqlite(const ServerConfig& config) {
    return config.store.starts_with(kSqlitePrefix);
}

std::string sqlite_path(const ServerConfig& config) {
    return config.store.substr(kSqlitePrefix.size());
}

}  // namespace millrace

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "config/server_config.hpp"

namespace millrace {

// A store for a command that opens it itself, as `millrace serve` would find it: what is empty
// comes from the environment and the configuration file.
struct StoreChoice {
    std::string store{};
    std::string config_file{};
};

// invalid_argument: one of its sources has a mistake.
Result<ServerConfig> read_config_of(const StoreChoice& choice);

// `millrace migrate status`: each migration with its state, how many are pending, and why the store
// cannot be used if so, as {"migrations": […], "pending": N, "problem": "…"}. Changes nothing.
Result<json::Value> migration_status(const StoreChoice& choice);

// `millrace migrate up`: applies what is pending, tells of each, and answers as above.
Result<json::Value> migrate_store(const StoreChoice& choice,
                                  const std::function<void(std::string_view)>& on_migrated);

}  // namespace millrace

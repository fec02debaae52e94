#include "simulator/other_stores.hpp"

#include "store_conformance/world.hpp"

namespace millrace::sim {

namespace {

template <class Made>
std::shared_ptr<Database> database_of(Made made) {
    const std::shared_ptr<::millrace::World> kept(std::move(made));
    return {kept, &kept->database()};
}

}  // namespace

std::optional<StoreKind> store_kind(std::string_view name) {
    if (name == "memory") return memory_store();
    if (name == "sqlite") {
        return StoreKind{.name = "sqlite", .make = [] {
                             return database_of(make_sqlite_world());
                         }};
    }
    if (name == "postgres") {
        return StoreKind{.name = "postgres", .make = [] {
                             return database_of(make_postgres_world());
                         }};
    }
    return std::nullopt;
}

}  // namespace millrace::sim

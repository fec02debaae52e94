#include "store/memory/memory_database.hpp"
#include "store_conformance/world.hpp"

namespace millrace {

namespace {

class MemoryWorld final : public World {
public:
    Database& database() override { return database_; }

private:
    MemoryDatabase database_;
};

}  // namespace

std::unique_ptr<World> make_memory_world() {
    return std::make_unique<MemoryWorld>();
}

}  // namespace millrace

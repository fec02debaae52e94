#include "simulator/stores.hpp"

#include "store/memory/memory_database.hpp"

namespace millrace::sim {

StoreKind memory_store() {
    return {
        .name = "memory",
        .make = []() -> std::shared_ptr<Database> { return std::make_shared<MemoryDatabase>(); },
        .is_waiting_for_nobody = true};
}

}  // namespace millrace::sim

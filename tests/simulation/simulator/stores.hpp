#pragma once

#include <memory>
#include <string_view>

#include "store/database.hpp"

namespace millrace::sim {

// What runs of one kind happen on.
struct StoreKind {
    std::string_view name{};
    // An empty one, with its schema; gone with the last pointer to it.
    std::shared_ptr<Database> (*make)() = nullptr;
    // Whether a batch may be left open while another connection has its turn: one that waits for
    // locks would wait for good, as all connections have one thread.
    bool is_waiting_for_nobody = false;
};

// The one that most runs happen on: the fastest, and the only one that waits for nobody.
StoreKind memory_store();

}  // namespace millrace::sim

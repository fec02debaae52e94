#pragma once

#include "store/reader.hpp"

namespace millrace {

// Newest first.
struct ListUserTasks {
    UserTaskFilter filter{};
    Page page{};
};

Result<Listing<UserTask>> read(const ListUserTasks& query, Reader& reader);

}  // namespace millrace

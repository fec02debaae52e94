#pragma once

#include "store/reader.hpp"

namespace millrace {

// The definition that an instance runs, for readers. Null when it is gone.
Result<DefinitionPtr> stored_definition(const Instance& instance, Reader& reader);

}  // namespace millrace

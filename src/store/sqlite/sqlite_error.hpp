#pragma once

#include "base/result.hpp"

namespace millrace::sqlite {

// What a caller is to make of a result code of SQLite (docs/adr/0002).
Error to_error(int code);

}  // namespace millrace::sqlite

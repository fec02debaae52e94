#pragma once

#include "base/result.hpp"

namespace millrace::sqlite {

// What a caller is to make of a result code of SQLite. The text names no table and no value.
Error to_error(int code);

}  // namespace millrace::sqlite

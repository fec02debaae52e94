#pragma once

#include <string>
#include <string_view>

namespace millrace {

// A connection string with every password in it written as ***: of a URL (in front of the host or
// as a parameter) or of libpq's keywords. Anything else stays as it is.
std::string hide_password(std::string_view connection);

// `name=value,name=value` with every value written as ***.
std::string hide_header_values(std::string_view list);

// *** for anything that is there.
std::string hide_all(std::string_view secret);

}  // namespace millrace

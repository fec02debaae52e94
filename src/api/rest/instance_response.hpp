#pragma once

#include "api/http/message.hpp"
#include "core/instance/instance.hpp"

namespace millrace::rest {

// 200 with the instance.
http::HttpResponse instance_response(const Instance& instance);

}  // namespace millrace::rest

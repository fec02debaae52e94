#pragma once

// Defined once for the server and its client. The installed package has the text of that file here:
// cmake/ClientPackage.cmake.
#include "base/check.hpp"

#include "base/json/write.hpp"

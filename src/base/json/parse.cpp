#include "base/json/parse.hpp"

#include "core/expression/functions.hpp"

#include <algorithm>

namespace millrace::expression {

const Function* find_function(std::string_view name) {
    for (const auto family :
         {array_functions(), bit_functions(), conversion_functions(), map_functions(),
          number_functions(), text_functions(), time_functions()}) {
        const auto row = std::ranges::find(family, name, &Function::name);
        if (row != family.end()) return &*row;
    }
    return nullptr;
}

}  // namespace millrace::expression

#pragma once

#include <string>
#include <string_view>

namespace millrace {

// What is left of an error message without what differs between two of the same kind: numbers and
// ids become #, quoted texts become "#". Cut between two characters where it is long. Dead letters
// with the same text are shown as one group; it is stored with each of them, so a change of this
// function leaves old ones where they are.
std::string normalised_message(std::string_view message);

}  // namespace millrace

#include "queue/kept_message.hpp"

#include "core/bounded_message.hpp"
#include "store/storable_text.hpp"

namespace millrace {

std::string kept_message(std::string text) {
    text = bounded_message(std::move(text));
    return is_storable(text) ? text : "The executor's message is no text.";
}

}  // namespace millrace

#include "core/explain/explanation.hpp"

namespace millrace {

Explanation summed_up(Explanation explanation) {
    if (!explanation.reasons.empty()) explanation.summary = explanation.reasons.front().message;
    return explanation;
}

}  // namespace millrace

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/definition/draft.hpp"
#include "core/definition/problems.hpp"

namespace millrace::definition {

// The rules of docs/reference/definitions.md, by what they look at. Each adds what is broken.

void check_root(const Draft& draft, Problems& problems);
// No text that becomes part of a row has U+0000, which no store keeps: the instance could never
// take the step that writes it.
void check_storable(const Draft& draft, Problems& problems);
// Who runs it, and how often that is tried.
void check_executor(const Draft& draft, Problems& problems);
void check_step(const Draft& draft, std::size_t position, Problems& problems);
// Every step can be reached from the first one, and so can an END.
void check_graph(const Draft& draft, Problems& problems);

// What is wrong with a name that is stored in columns and metrics of its own: "must ...".
std::vector<std::string> flaws_of_name(std::string_view name);

// How paths and messages name a step: steps[2], and step "approve".
std::string path_of(std::size_t position);
std::string label_of(const DraftStep& step, std::size_t position);

}  // namespace millrace::definition

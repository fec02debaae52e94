// A definition is the same after it was stored, and one that was accepted is accepted again.

#include "base/check.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/definition/parse_definition.hpp"
#include "fuzz_target.hpp"

namespace millrace {

namespace {

json::Value written_and_read(const json::Value& document) {
    const Result<json::Value> read = json::parse(json::write(document));
    MILLRACE_CHECK(read);
    return *read;
}

void check_accepted(const Definition& definition, const json::Value& document) {
    const json::Value stored = written_and_read(with_version(document, 7));
    MILLRACE_CHECK(canonical_text(stored) == canonical_text(document));
    const Result<DefinitionPtr> again = parse_definition(stored);
    MILLRACE_CHECK(again);
    MILLRACE_CHECK((*again)->id == definition.id);
    MILLRACE_CHECK((*again)->steps.size() == definition.steps.size());
    MILLRACE_CHECK((*again)->executor == definition.executor);
    MILLRACE_CHECK((*again)->max_attempts == definition.max_attempts);
    MILLRACE_CHECK(!definition.steps.empty() || !definition.is_native());
    MILLRACE_CHECK((*again)->steps_may_repeat == definition.steps_may_repeat);
    for (const Step& step : definition.steps) {
        MILLRACE_CHECK(definition.find_step(step.id) == &step);
    }
    MILLRACE_CHECK(parse_definition(document, UnknownFields::ignore));
}

}  // namespace

void fuzz(std::string_view input) {
    const Result<json::Value> document = json::parse(input);
    if (!document) return;
    const Result<DefinitionPtr> definition = parse_definition(*document);
    if (document->if_object() != nullptr) {
        MILLRACE_CHECK(canonical_text(written_and_read(*document)) == canonical_text(*document));
    }
    if (definition) {
        check_accepted(**definition, *document);
    } else {
        MILLRACE_CHECK(!definition.error().detail.empty());
        MILLRACE_CHECK(definition.error().code == ErrorCode::invalid_argument);
        (void)parse_definition(*document, UnknownFields::ignore);  // Must only not crash.
    }
}

}  // namespace millrace

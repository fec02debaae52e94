#include "cli/explain.hpp"

#include <ostream>

#include "base/id.hpp"
#include "base/json/write.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

using client::Subject;

// An id does not say whose it is. An execution that runs here has the id of its instance, and its
// explanation has that of the instance in it.
client::Result<client::Explanation> look_up(client::Client& client, const std::string& id) {
    if (!parse_ulid(id)) return client.explain(Subject::workspace, id);
    for (const Subject subject : {Subject::execution, Subject::instance}) {
        client::Result<client::Explanation> found = client.explain(subject, id);
        if (found || found.error().code != "not-found") return found;
    }
    return client.explain(Subject::job, id);
}

std::string evidence_text(const json::Value& value) {
    const std::string* text = value.if_string();
    return text == nullptr ? json::write(value) : *text;
}

void print_reason(const Console& console, const client::Document& reason) {
    console.out << '\n';
    print_facts(console, {{std::string(reason.text("code")), std::string(reason.text("message"))}});
    Rows rows;
    if (const json::Object* evidence = reason.value("evidence").if_object()) {
        for (const auto& [name, value] : *evidence)
            rows.push_back({"  " + name, evidence_text(value)});
    }
    rows.push_back({"  until", std::string(reason.text("until"))});
    rows.push_back({"  advice", std::string(reason.text("advice"))});
    print_facts(console, rows);
}

}  // namespace

int execute(const Explain& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<client::Explanation> explanation = look_up(client, command.id);
    if (!explanation) return fail(context, explanation.error());
    if (print_document(context, explanation->json())) return succeeded;
    print_facts(context.console,
                {{std::string(explanation->subject()), std::string(explanation->id())},
                 {"status", std::string(explanation->status())},
                 {"estimated", std::string(explanation->estimated_at())}});
    for (const client::Document& reason : explanation->reasons()) {
        print_reason(context.console, reason);
    }
    return succeeded;
}

}  // namespace millrace::cli

// A worker in ten lines: greets whoever the instance names.
#include <millrace/client/signals.hpp>
#include <millrace/client/worker.hpp>

using namespace millrace::client;

int main(int count, char** arguments) {
    const StopSignals signals;
    Worker worker({.server = count > 1 ? arguments[1] : "http://127.0.0.1:8080"}, {.slots = 8});
    worker.handle("greet", [](const Job& job, JobContext&) -> Outcome {
        const std::string* name = job.variable("name").if_string();
        if (name == nullptr) throw NonRetryable("Whom?");
        return Completed{json::Object{{"greeting", "Hello, " + *name + "!"}}};
    });
    return worker.run(signals.token()) ? 0 : 1;
}

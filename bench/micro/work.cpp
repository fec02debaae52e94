// What a unit of core/work_meter.hpp costs on this machine, by kind of work. `millrace_work` prints
// units, microseconds and nanoseconds for each unit: the table in docs/adr/0014 is one run of it.
// Time of the processor, not of the wall: others may work meanwhile.

#include <fmt/core.h>

#include <ctime>
#include <string>
#include <vector>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/definition/parse_definition.hpp"
#include "core/instance/advance.hpp"

namespace millrace {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;
constexpr int kRounds = 9;

json::Value many_members(int count) {
    json::Object members;
    for (int i = 0; i < count; ++i) members.push_back({"k" + std::to_string(i), json::Value(i)});
    return json::Value(std::move(members));
}

json::Value large_variables() {
    json::Value variables{json::Object{}};
    variables.set("n", 5);
    variables.set("a", std::string(kMegabyte, 'a'));
    variables.set("a2", std::string(kMegabyte, 'a'));
    variables.set("blanks", std::string(50'000, ' '));
    variables.set("few", std::string(5'000, 'a'));
    variables.set("digits", json::write(json::Value(json::Array(20'000, json::Value(7)))));
    variables.set("words", json::write(json::Value(json::Array(5'000, json::Value("word word")))));
    variables.set("members", many_members(50'000));
    json::Array numbers;
    for (int i = 0; i < 20'000; ++i) numbers.emplace_back(i * 7919 % 20'000);
    variables.set("numbers", std::move(numbers));
    return variables;
}

double cpu_microseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// The fastest of some rounds: everything else is somebody else's.
template <class Work>
void show(const std::string& name, Work work) {
    double best = 1e18;
    std::int64_t units = 0;
    for (int round = 0; round < kRounds; ++round) {
        WorkMeter meter(1'000'000'000);
        const double began_at = cpu_microseconds();
        work(meter);
        best = std::min(best, cpu_microseconds() - began_at);
        units = meter.total();
    }
    fmt::print("| {:56} | {:9} | {:9.0f} | {:6.1f} |\n", name, units, best,
               1e3 * best / static_cast<double>(std::max<std::int64_t>(units, 1)));
}

void show_expressions() {
    const expression::IndexedObject variables(large_variables());
    const std::string late = "'" + std::string(40, 'a') + "b'";
    for (const std::string& text : std::vector<std::string>{
             "count(1..9000, # < 0)",
             "sum(map(1..9000, # * 2 + n))",
             "reduce(1..9000, #acc + #, 0)",
             "len(sort(numbers))",
             "count(1..9000, n == 5 && n < 7 || n > 3)",
             "a contains " + late,
             "a contains 'ab'",
             "a contains 'x'",
             "indexOf(a, " + late + ")",
             "lastIndexOf(a, 'aa')",
             "split(few, 'a')",
             "replace(few, 'a', 'bc')",
             "upper(a)",
             "trim(blanks)",
             "len(a)",
             "a[999999]",
             "a == a2",
             "a + 'x'",
             "repeat('ab', 1000000)",
             "toBase64(a)",
             "fromBase64(toBase64(few))",
             "fromJSON(digits)",
             "fromJSON(words)",
             "toJSON(numbers)",
             "members",
             "numbers",
             "members.missing",
             "count(1..100, members.k40000 == 1)",
             "keys(members)",
             "uniq(numbers)",
             "groupBy(numbers, # % 100)",
             "few matches 'b'",
             "few matches '(a|aa)*(a|aa)*(a|aa)*b'",
             "few matches '[a-z]{1,50}b'",
             "'x' matches ('(?i)[a-zA-Z]{100}' + 'x')",
         }) {
        const Result<Expression> compiled = Expression::compile(text);
        if (!compiled) {
            fmt::print("{}: {}\n", text, compiled.error().detail);
            continue;
        }
        show(text.size() > 56 ? text.substr(0, 53) + "..." : text,
             [&](WorkMeter& meter) { (void)compiled->evaluate(variables, Instant{}, meter); });
    }
}

DefinitionPtr definition_of(const std::string& steps) {
    const std::string text = R"({"id":"m","name":"M","steps":)" + steps + "}";
    const Result<DefinitionPtr> definition = parse_definition(*json::parse(text));
    if (!definition) fmt::print("{}\n", definition.error().detail);
    return definition ? *definition : nullptr;
}

void show_instance(const std::string& name, const DefinitionPtr& definition,
                   const json::Value& variables) {
    Instance instance;
    instance.variables = *Variables::from_value(variables);
    show(name, [&](WorkMeter& meter) {
        (void)advance(*definition, instance, Started{}, Instant{}, meter);
    });
}

void show_instances() {
    const std::string end = R"({"id":"end","name":"E","type":"END"}])";
    const DefinitionPtr loop = definition_of(
        R"([{"id":"t","name":"T","type":"TRANSFORMATION","transformations":{"n":"${n + 1}"},
            "nextStep":"d"},{"id":"d","name":"D","type":"DECISION",
            "conditionalNextSteps":{"n < 490":"t","true":"end"}},)" +
        end);
    json::Value small{json::Object{}};
    small.set("n", 0);
    show_instance("490 rounds of two automatic steps", loop, small);
    std::string entries;
    for (int i = 0; i < 20'000; ++i) {
        entries += (i == 0 ? "\"v" : ",\"v") + std::to_string(i) + "\":\"${1}\"";
    }
    show_instance("20,000 entries",
                  definition_of(
                      R"([{"id":"t","name":"T","type":"TRANSFORMATION","nextStep":"end",
                          "transformations":{)" +
                      entries + "}}," + end),
                  small);
    const DefinitionPtr once = definition_of(
        R"([{"id":"t","name":"T","type":"TRANSFORMATION","transformations":{"n":"${1}"},
            "nextStep":"end"},)" +
        end);
    json::Value numbers{json::Object{}};
    numbers.set("a", json::Array(500'000, json::Value(7)));
    show_instance("one entry, a megabyte of numbers", once, numbers);
    json::Value text{json::Object{}};
    text.set("a", std::string(kMegabyte, 'x'));
    show_instance("one entry, a megabyte of text", once, text);
    show_instance("one entry, 50,000 members", once, many_members(50'000));
}

}  // namespace
}  // namespace millrace

int main() {
    fmt::print("| work | units | µs | ns per unit |\n|---|---|---|---|\n");
    millrace::show_expressions();
    millrace::show_instances();
}

#include "server/doctor.hpp"
#include "server/doctor_schema.hpp"

namespace millrace {

namespace {

using enum Severity;

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kLogBytesMany = 256 * kMebibyte;  // A hundred times what is usual.
constexpr std::int64_t kFreeBytesFew = 256 * kMebibyte;
constexpr const char* kRestore =
    "Restore a backup into another directory: millrace restore --from FILE --data-dir DIRECTORY.";

std::string mebibytes(std::int64_t bytes) {
    return std::to_string(bytes / kMebibyte) + " MiB";
}

Finding judge_holder(const sqlite::Facts& facts) {
    if (facts.holder == 0) return {info, "server", "No server has the file.", ""};
    const std::string who =
        facts.holder > 0 ? "Process " + std::to_string(facts.holder) : "Another process";
    return {good, "server", who + " has the file.", ""};
}

// Whoever has the file can write it.
Finding judge_file(const sqlite::Facts& facts) {
    if (facts.unwritable.empty() || facts.holder != 0) {
        return {good, "file", facts.path + " is there.", ""};
    }
    return {problem, "file", facts.path + " cannot be written: " + facts.unwritable + ".",
            "Start servers as the user who owns the file and its directory."};
}

Finding judge_pages(const sqlite::Facts& facts) {
    if (!facts.damage) return {problem, "integrity", "No page could be read.", kRestore};
    if (!facts.damage->empty()) {
        return {problem, "integrity", "It is damaged: " + *facts.damage, kRestore};
    }
    return {good, "integrity", "All pages were read and are sound.", ""};
}

Finding judge_space(const sqlite::Facts& facts) {
    const std::string sizes = "The file has " + mebibytes(facts.bytes) + ", its log " +
                              mebibytes(facts.log_bytes) + ", and " + mebibytes(facts.bytes_free) +
                              " are free.";
    if (facts.bytes_free < kFreeBytesFew) {
        return {warning, "space", sizes, "Make room: on a full disk nothing is written any more."};
    }
    if (facts.log_bytes > kLogBytesMany) {
        return {warning, "space", sizes,
                "Some program keeps reading the file and so keeps its log from being emptied: end "
                "it, or restart the server."};
    }
    return {good, "space", sizes, ""};
}

}  // namespace

std::vector<Finding> judge(const sqlite::Facts& facts) {
    if (!facts.hidden.empty()) {
        return {{problem, "file", facts.hidden,
                 "Check the path, and whether this user may read the file."}};
    }
    if (!facts.is_there) {
        return {{problem, "file", "There is no database at " + facts.path + ".",
                 "Check the path; a server makes the file when it starts."}};
    }
    std::vector<Finding> findings{judge_file(facts), judge_holder(facts)};
    if (!facts.unreadable.empty()) {
        findings.push_back({problem, "schema", "It cannot be read: " + facts.unreadable, kRestore});
    } else {
        findings.push_back(judge_schema(facts.migrations));
    }
    findings.push_back(judge_pages(facts));
    findings.push_back(judge_space(facts));
    return findings;
}

}  // namespace millrace

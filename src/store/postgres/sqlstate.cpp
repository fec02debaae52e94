#include "store/postgres/sqlstate.hpp"

#include <algorithm>
#include <array>

namespace millrace::postgres {

namespace {

constexpr std::array<std::string_view, 3> kDataClasses = {"22", "23", "54"};
constexpr std::array<std::string_view, 9> kHealthClasses = {"08", "0A", "25", "26", "40",
                                                            "53", "55", "57", "58"};
// Another transaction of the same kind may well succeed: a timeout of this statement or of this
// transaction, a deadlock, too little memory for this query.
constexpr std::array<std::string_view, 7> kOverruns = {"57014", "25P03", "25P04", "40001",
                                                       "40P01", "53200", "53400"};

}  // namespace

ErrorCode code_of_sqlstate(std::string_view sqlstate) {
    if (is_lost_preparation(sqlstate)) return ErrorCode::unavailable;
    const std::string_view kind = sqlstate.substr(0, 2);
    if (std::ranges::find(kDataClasses, kind) != kDataClasses.end()) return ErrorCode::data_refused;
    if (std::ranges::find(kHealthClasses, kind) != kHealthClasses.end()) {
        return ErrorCode::unavailable;
    }
    return ErrorCode::internal;
}

Unavailable why_unavailable(std::string_view sqlstate) {
    if (sqlstate == "55P03") return Unavailable::locked;
    if (sqlstate == "53100") return Unavailable::full;
    const bool is_overrun = std::ranges::find(kOverruns, sqlstate) != kOverruns.end();
    return is_overrun ? Unavailable::overrun : Unavailable::away;
}

bool is_lost_preparation(std::string_view sqlstate) {
    return sqlstate == "42P05" || sqlstate == "26000";
}

bool is_connection_failure(std::string_view sqlstate) {
    return sqlstate.empty() || sqlstate.starts_with("08");
}

}  // namespace millrace::postgres

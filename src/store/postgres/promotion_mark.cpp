#include "store/postgres/promotion_mark.hpp"

namespace millrace::postgres {

Result<bool> has_promotion(Connection& connection) {
    const Result<std::vector<Rows>> answers = connection.run({call(sql::find_promotion)});
    if (!answers) return answers.error();
    return Fields(answers->front(), 0).boolean();
}

Status check_no_promotion(Connection& connection) {
    if (const Status status = connection.open(); !status) return status;
    const Result<bool> is_partial = has_promotion(connection);
    if (!is_partial) return is_partial.error();
    if (!*is_partial) return ok();
    return Error{ErrorCode::conflict,
                 "It holds only a part of a store that is promoted into it. Let `millrace promote` "
                 "come to its end first: the same command goes on where it stopped."};
}

}  // namespace millrace::postgres

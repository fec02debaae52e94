#include "store/sqlite/writer.hpp"

namespace millrace::sqlite {

Result<Connection*> Writer::begin(Forced forced) {
    Result<Connection*> begun = try_to_begin(forced);
    if (!begun) note(begun.error());
    return begun;
}

Result<Connection*> Writer::try_to_begin(Forced forced) {
    if (!connection_) {
        Result<Connection> opened = Connection::open(path_, Connection::Mode::read_write);
        if (!opened) return opened.error();
        connection_.emplace(std::move(*opened));
        forced_ = Forced::at_once;
    }
    if (forced != forced_) {
        const Status status = connection_->set_forced(forced == Forced::at_once);
        if (!status) return status.error();
        forced_ = forced;
    }
    if (Status status = connection_->begin_write(); !status) {
        connection_.reset();
        return status.error();
    }
    return &*connection_;
}

Status Writer::commit() {
    Status status = connection_->commit();
    if (status) return status;
    note(status.error());
    connection_.reset();
    return status;
}

void Writer::rollback() {
    if (!connection_->rollback()) connection_.reset();
}

void Writer::rollback_after(const Error& error) {
    note(error);
    rollback();
    if (error.code == ErrorCode::unavailable) connection_.reset();
}

}  // namespace millrace::sqlite

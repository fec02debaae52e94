#pragma once

#include <optional>
#include <string>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/trouble_note.hpp"
#include "store/sqlite/turns.hpp"

namespace millrace::sqlite {

// When a commit reaches the disk. Every commit outlives the process; this is about the machine.
enum class Forced {
    at_once,        // Before the commit returns.
    with_the_next,  // With the next one that is forced: see raise_lease_tokens.sql for who may.
};

// The one connection that writes. Batches and claims take turns on it.
class Writer {
public:
    explicit Writer(std::string path, TroubleNote on_trouble = {})
        : path_(std::move(path)), on_trouble_(std::move(on_trouble)) {}

    // A turn lasts from the beginning of a transaction to its end.
    Turn take_turn() { return Turn(turns_); }

    // For whoever has the turn: begins a transaction, on a new connection after a failure.
    Result<Connection*> begin(Forced forced = Forced::at_once);

    // Ends the transaction. An error of a commit closes the connection, for it has to be opened
    // again to see what was stored.
    Status commit();
    void rollback();

    // The same after an error. One of health closes the connection.
    void rollback_after(const Error& error);

    // For whoever writes on a connection of his own, during his turn.
    void note(const Error& error) const { note_trouble(on_trouble_, error); }

private:
    Result<Connection*> try_to_begin(Forced forced);

    std::string path_;
    TroubleNote on_trouble_;
    Turns turns_;
    std::optional<Connection> connection_;
    Forced forced_ = Forced::at_once;  // As the connection is set.
};

}  // namespace millrace::sqlite

#pragma once

#include <functional>
#include <string>

#include "store/sqlite/connection.hpp"

namespace millrace::sqlite {

// Copies everything into a new file, as it was when the call began, while others write.
//
// Pages are copied inside one reading transaction: VACUUM INTO took 1.4 times as long for 250 MB
// with the same effect on commits beside it, and a copy outside a transaction begins anew with each
// of those. Until it is over the write-ahead log of the source cannot be emptied.
//
// `goes_on` is asked every few megabytes. When it says no, the answer is unavailable, and there is
// no file.
Status copy_database(Connection& source, const std::string& path,
                     const std::function<bool()>& goes_on = {});

// Whether the file is a sound copy of a database that this program can use: every page and index
// agrees, and it was not written by a newer program. The file is not touched.
Status check_backup(const std::string& path);

// Makes a database of a backup, at a path where there is none. It is whole and sound, as
// check_backup has it, or not there at all.
Status restore_backup(const std::string& backup, const std::string& path);

// Copies a database that no server has open. conflict: one has; not_found: there is none.
Status back_up_closed_database(const std::string& name, const std::string& backup);

}  // namespace millrace::sqlite

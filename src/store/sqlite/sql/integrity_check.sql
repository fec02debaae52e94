-- Only here. One row "ok", or one row for each of the first things that are wrong with the file.
PRAGMA integrity_check(3);

-- Only here. Like integrity_check, without comparing indexes with their tables: it reads each page
-- once.
PRAGMA quick_check(3);

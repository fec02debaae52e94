-- Every column of every table of ours, as "table.column type".
SELECT found.name || '.' || info.name || ' ' || info.type
FROM sqlite_master AS found, pragma_table_info(found.name) AS info
WHERE found.type = 'table' AND found.name NOT LIKE 'sqlite\_%' ESCAPE '\'

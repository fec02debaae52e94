-- Only here. The server's time. Last in its round trip: it must not be older than the locks.
SELECT clock_timestamp();

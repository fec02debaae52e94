module millrace/tests/temporal/proxy

go 1.25.0

-- millrace_enqueue as in 0010, but: nothing gets into the queue that stops the engine, times are
-- finite or absent, requestedBy has a limit, and whatever the caller's search_path is, it is the
-- tables and the channel of this schema that are meant.

-- options: definitionVersion (0, or none: the latest), priority, notBefore, deadline, concurrencyKey,
-- requestedBy, and traceparent, with which the trace of the caller goes on.
CREATE OR REPLACE FUNCTION millrace_enqueue(
    workspace text, definition text, input json DEFAULT '{}', options jsonb DEFAULT '{}'
) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
    created timestamptz := clock_timestamp();
    wanted_priority integer := coalesce((options ->> 'priority')::integer, 0);
    wanted_version integer := nullif((options ->> 'definitionVersion')::integer, 0);
    -- An infinite time is an ordinary way to say that there is no bound.
    earliest timestamptz := nullif((options ->> 'notBefore')::timestamptz, '-infinity');
    latest timestamptz := nullif((options ->> 'deadline')::timestamptz, 'infinity');
    concurrency text := nullif(options ->> 'concurrencyKey', '');
    requester text := nullif(options ->> 'requestedBy', '');
    trace text := nullif(options ->> 'traceparent', '');
    unknown_option text;
    chosen record;
    new_id uuid;
    line text := 'READY';
    ranked timestamptz;
BEGIN
    SELECT option INTO unknown_option
    FROM jsonb_object_keys(options) AS option
    WHERE option NOT IN ('definitionVersion', 'priority', 'notBefore', 'deadline', 'concurrencyKey',
                         'requestedBy', 'traceparent');
    IF unknown_option IS NOT NULL THEN
        RAISE EXCEPTION 'millrace_enqueue: there is no option "%"', unknown_option
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF wanted_priority NOT BETWEEN 0 AND 9 THEN
        RAISE EXCEPTION 'millrace_enqueue: priority is %, it must be 0 to 9', wanted_priority
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF wanted_version < 0 THEN
        RAISE EXCEPTION 'millrace_enqueue: definitionVersion is %, it must not be negative',
            wanted_version USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF earliest < '0001-01-01T00:00:00Z' OR earliest >= '10000-01-01T00:00:00Z' THEN
        RAISE EXCEPTION 'millrace_enqueue: notBefore must be -infinity or a time of the years 1 to 9999'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF latest < '0001-01-01T00:00:00Z' OR latest >= '10000-01-01T00:00:00Z' THEN
        RAISE EXCEPTION 'millrace_enqueue: deadline must be infinity or a time of the years 1 to 9999'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF json_typeof(input) IS DISTINCT FROM 'object' THEN
        RAISE EXCEPTION 'millrace_enqueue: input must be a JSON object'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF octet_length(input::text) > 4194304 THEN
        RAISE EXCEPTION 'millrace_enqueue: input has % bytes, 4194304 are allowed',
            octet_length(input::text) USING ERRCODE = 'program_limit_exceeded';
    END IF;
    -- Refuses half a surrogate pair and U+0000, which the type json lets through. What else the
    -- engine cannot read (a key that stands twice, 1e999, too many levels or values) it finds when
    -- the execution is let in, and fails it with INVALID_INPUT.
    PERFORM input::jsonb;
    IF octet_length(concurrency) > 256 THEN
        RAISE EXCEPTION 'millrace_enqueue: concurrencyKey has % bytes, 256 are allowed',
            octet_length(concurrency) USING ERRCODE = 'program_limit_exceeded';
    END IF;
    IF octet_length(requester) > 256 THEN
        RAISE EXCEPTION 'millrace_enqueue: requestedBy has % bytes, 256 are allowed',
            octet_length(requester) USING ERRCODE = 'program_limit_exceeded';
    END IF;
    IF trace !~ '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' THEN
        RAISE EXCEPTION 'millrace_enqueue: traceparent must be as W3C Trace Context writes it'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM FROM workspace AS known WHERE known.id = millrace_enqueue.workspace;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'millrace_enqueue: workspace "%" not found', workspace
            USING ERRCODE = 'no_data_found';
    END IF;
    SELECT stored.row_id, stored.version, stored.content::json -> 'executor' AS executor INTO chosen
    FROM definition AS stored
    WHERE stored.workspace_id = millrace_enqueue.workspace
      AND stored.id = millrace_enqueue.definition
      AND (wanted_version IS NULL OR stored.version = wanted_version)
    ORDER BY stored.version DESC
    LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'millrace_enqueue: definition "%" not found in workspace "%"', definition,
            workspace USING ERRCODE = 'no_data_found';
    END IF;

    new_id := (lpad(to_hex((extract(epoch FROM created) * 1000)::bigint), 12, '0')
               || left(md5(gen_random_uuid()::text), 12) || '00000000')::uuid;
    ranked := created + (9 - wanted_priority) * interval '1 minute';
    IF earliest > created THEN
        line := 'DUE';
        ranked := earliest + (9 - wanted_priority) * interval '1 minute';
    END IF;
    INSERT INTO execution (
        id, workspace_id, definition_row_id, definition_id, definition_version, queue_status, place,
        rank_at, due_at, priority, not_before, deadline, concurrency_key, requested_by, created_at,
        attempt_count, deferrals, recoveries, claim_token, executor, target, is_forced, is_resuming,
        trace_parent, input)
    VALUES (
        new_id, workspace, chosen.row_id, definition, chosen.version, 'PENDING', line, ranked,
        CASE line WHEN 'DUE' THEN earliest END, wanted_priority, earliest, latest, concurrency,
        requester, created, 0, 0, 0, 0,
        coalesce(chosen.executor ->> 'kind', 'native'), chosen.executor ->> 'target', 0, 0,
        trace, input::text);
    INSERT INTO execution_open (
        id, workspace_id, place, queue_status, rank_at, due_at, deadline, concurrency_key, created_at)
    VALUES (
        new_id, workspace, line, 'PENDING', ranked, CASE line WHEN 'DUE' THEN earliest END, latest,
        concurrency, created);
    PERFORM pg_notify(
        'millrace_' || to_hex(hashtextextended(current_schema()::text, 0)),
        json_build_object('from', repeat('0', 26), 'queues', json_build_array(workspace))::text);
    RETURN millrace_id_text(new_id);
END
$$;

-- The schema in which the engine works, by name: "$user" in a path would be the caller.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION millrace_enqueue(text, text, json, jsonb)'
                   ' SET search_path = %I, pg_temp', current_schema());
END
$$;

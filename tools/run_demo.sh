#!/usr/bin/env bash
# Starts a server on the embedded store with the sample workflow and its workers, runs an order
# through and shows what happened; then keeps the server until Ctrl-C.
#
#   PORT, GRPC_PORT, METRICS_PORT   where the server listens (8080, 9090, 9091)
#   DEMO_EXIT=1          stop after the demonstration
#   MILLRACE             the program (build/release/millrace)
#   RUN_DIRECTORY        emptied and used for data and logs (build/run)
set -euo pipefail
cd "$(dirname "$0")/.."

port=${PORT:-8080}
grpc_port=${GRPC_PORT:-9090}
metrics_port=${METRICS_PORT:-9091}
millrace=${MILLRACE:-build/release/millrace}
run=${RUN_DIRECTORY:-build/run}
sample=samples/order_process
export MILLRACE_SERVER=http://127.0.0.1:$port

pids=()
stop_all() {
    trap - EXIT INT TERM
    # Workers first, so that what they do is still accepted; each waits for its running commands.
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
        kill -TERM "${pids[i]}" 2>/dev/null || true
        wait "${pids[i]}" 2>/dev/null || true
    done
}
trap stop_all EXIT
trap 'exit 0' INT TERM

port_is_taken() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}
for name in PORT GRPC_PORT METRICS_PORT; do
    number=$port
    [[ $name == GRPC_PORT ]] && number=$grpc_port
    [[ $name == METRICS_PORT ]] && number=$metrics_port
    if port_is_taken "$number"; then
        echo "Port $number is taken. Choose another: make run $name=$((number + 10000))" >&2
        exit 1
    fi
done

# Waits up to some seconds until a command succeeds.
wait_until() {
    local tries=$1
    shift
    for ((i = 0; i < tries; i++)); do
        "$@" && return 0
        sleep 0.1
    done
    return 1
}

rm -rf "$run"
mkdir -p "$run"
# In sessions of their own Ctrl-C does not reach them: stop_all ends them in order.
WE_REST_PORT=$port WE_GRPC_PORT=$grpc_port WE_METRICS_PORT=$metrics_port \
    setsid "$millrace" serve --store "sqlite:$run/millrace.db" >"$run/server.log" 2>&1 &
pids+=($!)

is_ready() {
    kill -0 "${pids[0]}" 2>/dev/null || return 0
    python3 - "$MILLRACE_SERVER/readyz" 2>/dev/null <<'PYTHON'
import sys, urllib.request
urllib.request.urlopen(sys.argv[1], timeout=1)
PYTHON
}
if ! wait_until 100 is_ready || ! kill -0 "${pids[0]}" 2>/dev/null; then
    echo "The server did not start. Its log:" >&2
    cat "$run/server.log" >&2
    exit 1
fi
echo "The server runs at $MILLRACE_SERVER, its data and log are in $run/."

echo
echo "\$ $millrace definitions apply $sample/definition.json"
"$millrace" definitions apply "$sample/definition.json"

for script in "$sample"/workers/*; do
    type=$(basename "${script%.*}")
    setsid "$millrace" worker --type "$type" --exec "$script" --parallel 4 >>"$run/$type.log" 2>&1 &
    pids+=($!)
done
echo "Workers wait for jobs of the types charge_payment, pack_goods and remind_warehouse."

start=(instances start order_process --var 'customer=Ada' --var quantity=3 --var unitPrice=20)
echo
echo "\$ $millrace ${start[*]}"
instance=$("$millrace" "${start[@]}" --output json | python3 -c 'import json, sys; print(json.load(sys.stdin)["id"])')
echo "Instance $instance has started; packing takes two seconds …"

has_ended() {
    "$millrace" instances get "$instance" --output json | grep -qE '"status":"(COMPLETED|FAILED|CANCELLED)"'
}
wait_until 300 has_ended || echo "It has not ended within 30 seconds; see $run/*.log." >&2

echo
echo "\$ $millrace instances get $instance"
"$millrace" instances get "$instance"
echo
echo "\$ $millrace instances history $instance"
"$millrace" instances history "$instance"

if [[ -n ${DEMO_EXIT:-} ]]; then
    "$millrace" instances get "$instance" --output json | grep -q '"status":"COMPLETED"'
    exit
fi

cat <<TEXT

Try next, in another terminal:

  An order that is large enough to need a person, who then approves it:
    curl -s $MILLRACE_SERVER/v1/instances -d '{"definitionId":"order_process","variables":{"quantity":100,"unitPrice":20}}'
    curl -s $MILLRACE_SERVER/v1/instances/ID/user-tasks/approve_order/complete -d '{"variables":{"approved":true}}'

  The same with a quantity of 1000: the card does not cover it, and the history says so:
    $millrace instances history ID --server $MILLRACE_SERVER

  All instances, and what the server measures:
    curl -s $MILLRACE_SERVER/v1/instances
    curl -s http://127.0.0.1:$metrics_port/metrics

  Your own workflow:
    $millrace definitions validate FILE && $millrace definitions apply FILE --server $MILLRACE_SERVER

The server and its workers run until you press Ctrl-C.
TEXT
wait "${pids[0]}"

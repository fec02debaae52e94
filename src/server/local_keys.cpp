#include "server/local_keys.hpp"

#include <filesystem>

#include "api/access/minted_key.hpp"
#include "api/rest/api_key_json.hpp"
#include "base/json/parse.hpp"
#include "core/limits.hpp"
#include "core/queue/workspace.hpp"
#include "engine/audited.hpp"
#include "engine/create_api_key.hpp"
#include "engine/instance_ids.hpp"
#include "observe/log.hpp"
#include "runtime/csprng_random.hpp"
#include "runtime/store_clock.hpp"
#include "runtime/system_clock.hpp"
#include "server/local_store.hpp"
#include "server/open_database.hpp"

namespace millrace {

namespace {

// Decides and writes one command as a batch of its own, without a committer and its threads.
Status write_alone(BatchStore& store, const Audited<CreateApiKey>& command, Instant now) {
    const Footprint asked = footprint(command);
    Result<LoadedRows> loaded = store.load(asked);
    if (!loaded) return loaded.error();
    WorkingSet rows;
    rows.add(asked, std::move(*loaded));
    Result<Decision<ApiKey>> decision = decide(command, rows, now);
    if (!decision) {
        store.abandon();
        return decision.error();
    }
    rows.absorb(std::move(decision->effects));
    const Status applied = store.apply(rows.take_writes());
    if (applied || applied.error().code != ErrorCode::commit_unknown) return applied;
    const Result<CommitOutcome> outcome = store.resolve();
    if (!outcome) return outcome.error();
    return *outcome == CommitOutcome::committed ? ok() : applied;
}

// Whatever can be refused without a store is refused before there is one.
Status check_new_key(const NewKey& wanted, Instant now) {
    if (wanted.name.empty() || wanted.name.size() > limits::kNameBytesMax) {
        return Error{ErrorCode::invalid_argument, "Expected a name of 1 to " +
                                                      std::to_string(limits::kNameBytesMax) +
                                                      " bytes for the key."};
    }
    if (wanted.expires_at && *wanted.expires_at <= now) return expires_too_early();
    return ok();
}

// A directory that was misspelt must not become a store with a key that lets nobody in.
Status check_store_is_there(const ServerConfig& config) {
    if (!is_sqlite(config) || std::filesystem::exists(sqlite_path(config))) return ok();
    return Error{ErrorCode::not_found,
                 "There is no store " + sqlite_path(config) +
                     ". Check the name; `millrace serve` makes a store, and so does --new here."};
}

Result<std::string> create_in(const NewKeyText& place, const NewKey& wanted) {
    // What there is to say is in the result; the output belongs to whoever called.
    observe::Log log({.level = observe::LogLevel::error});
    const runtime::SystemClock system_clock;
    const runtime::SteadyClock steady_clock;
    runtime::StoreClock clock(system_clock, steady_clock);
    runtime::CsprngRandom random;
    const Result<ServerConfig> config = read_config_of({.store = place.store});
    if (!config) return config.error();
    if (const Status fits = check_new_key(wanted, clock.now()); !fits) return fits.error();
    if (!place.may_make_store) {
        if (const Status there = check_store_is_there(*config); !there) return there.error();
    }
    const std::unique_ptr<Database> database = open_database(*config, system_clock, clock, log);
    return create_first_key(*database, wanted, clock, random);
}

}  // namespace

Result<std::string> create_first_key(Database& database, const NewKey& wanted, const Clock& clock,
                                     Random& random) {
    if (const Status fits = check_new_key(wanted, clock.now()); !fits) return fits.error();
    if (const Status migrated = database.migrate(); !migrated) return migrated.error();
    const access::MintedKey minted = access::mint_key(random);
    const AuditKey entry{{InstanceIds(clock, random).next().value},
                         wanted.workspace_id.value_or(WorkspaceId{kDefaultWorkspace})};
    const Audited<CreateApiKey> command{.request = {.key =
                                                        {
                                                            .id = minted.text.id,
                                                            .name = wanted.name,
                                                            .role = wanted.role,
                                                            .workspace_id = wanted.workspace_id,
                                                            .secret_hash = minted.secret_hash,
                                                            .expires_at = wanted.expires_at,
                                                        }},
                                        .trail = AuditTrail{.key = entry}};
    const std::unique_ptr<BatchStore> store = database.batch_store();
    if (const Status written = write_alone(*store, command, clock.now()); !written) {
        return written.error();
    }
    return to_string(minted.text);
}

Result<json::Value> create_key_in_store(const NewKeyText& wanted) {
    json::Value request = json::Object{};
    request.set("name", wanted.name);
    request.set("role", wanted.role);
    if (wanted.workspace) request.set("workspace", *wanted.workspace);
    if (wanted.expires_at) request.set("expiresAt", *wanted.expires_at);
    Result<ApiKey> key = rest::parse_new_api_key(request);
    if (!key) return key.error();
    const Result<std::string> text = create_in(wanted, {.name = key->name,
                                                        .role = key->role,
                                                        .workspace_id = key->workspace_id,
                                                        .expires_at = key->expires_at});
    if (!text) return text.error();
    key->id = parse_key_text(*text)->id;
    key->created_at = runtime::SystemClock().now();
    std::string document;
    rest::append_new_api_key(document, *key, *text);
    return json::parse(document);
}

Result<bool> has_admin_key(Reader& reader, Instant now) {
    Page page{.size = limits::kPageSizeMax};
    while (true) {
        const Result<Listing<ApiKey>> keys = reader.api_keys({}, page);
        if (!keys) return keys.error();
        for (const ApiKey& key : keys->items) {
            if (key.role == Role::admin && !key.workspace_id && is_good(key, now)) return true;
        }
        if (!keys->has_more) return false;
        page.after = keys->items.back().id;
    }
}

}  // namespace millrace

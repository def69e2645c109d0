import type pg from "pg";
import type { Arrival } from "./event-batch.ts";
import { groupOf, keyOf } from "./group-identity.ts";
import type { KnownAliases } from "./known-aliases.ts";
import { STALE_ALIAS } from "./statement/aliases.ts";

/** Another attempt is needed only if someone merges or splits off the same fingerprint in between. */
const ATTEMPTS = 5;

/** Calls `store`. If the cached aliases of merged groups are out of date, reads them again and retries. */
export async function withCurrentAliases<Stored>(
  pool: pg.Pool,
  arrivals: Arrival[],
  aliases: KnownAliases,
  store: () => Promise<Stored>,
): Promise<Stored> {
  for (let attempt = 1; ; attempt++)
    try {
      return await store();
    } catch (error) {
      if ((error as { code?: string }).code !== STALE_ALIAS || attempt === ATTEMPTS) throw error;
      await readAliases(pool, arrivals, aliases);
    }
}

async function readAliases(pool: pg.Pool, arrivals: Arrival[], aliases: KnownAliases): Promise<void> {
  const identities = [...new Set(arrivals.map(({ projectId, event }) => groupOf(projectId, event)))];
  const { rows } = await pool.query<{ alias: Buffer; target: Buffer }>(
    `select a.key as alias, g.key as target from error_group_aliases a join error_groups g on g.id = a.group_id
     where a.key = any($1::bytea[])`,
    [identities.map(keyOf)],
  );
  const targets = new Map(rows.map(({ alias, target }) => [alias.toString("hex"), target]));
  for (const identity of identities) aliases.set(identity, targets.get(keyOf(identity).toString("hex")));
}

import type { DebugImage } from "../../../shared/source-maps.ts";
import { sql } from "kysely";
import type { KeptEvent } from "../../../shared/kept-events.ts";
import { notFound } from "../../answers/errors.ts";
import { pathId } from "../../answers/validation.ts";
import { withUtcOffset } from "../groups/utc-offset.ts";
import { keptWithin } from "./kept-within.ts";
import { listedColumns } from "./list-events.ts";
import type { ErrorDb } from "../groups/error-db.ts";

type Additions = Pick<
  KeptEvent,
  "breadcrumbs" | "request" | "contexts" | "extra" | "frames" | "truncated" | "removed"
>;

type Row = Omit<KeptEvent, keyof Additions | "runtime" | "framework"> & {
  additions: string | null;
  runtime_name: string | null;
  runtime_version: string | null;
  framework_name: string | null;
  framework_version: string | null;
};

/** What is stored with the additions, but is not part of the answer. */
type Stored = Additions & { debug_images?: DebugImage[] };

export type StoredEvent = { event: KeptEvent; debugImages: DebugImage[] };

const NONE: Additions = {
  breadcrumbs: [],
  request: null,
  contexts: {},
  extra: {},
  frames: [],
  truncated: [],
  removed: {},
};

/** A kept event by its id, `latest` or `oldest`. 404 if the group has no such event. */
export async function readKeptEvent(errorDb: ErrorDb, groupId: number, which: string): Promise<KeptEvent> {
  return (await readStoredEvent(errorDb, groupId, which)).event;
}

/** The event, and the debug ids that it names for its files. */
export async function readStoredEvent(
  { db, retentionDays }: ErrorDb,
  groupId: number,
  which: string,
): Promise<StoredEvent> {
  const kept = keptWithin(groupId, retentionDays);
  const selection =
    which === "latest" || which === "oldest"
      ? sql`order by e.id ${sql.raw(which === "latest" ? "desc" : "asc")} limit 1`
      : sql`and e.id = ${pathId(which, NO_SUCH_EVENT)} limit 1`;
  const { rows } = await sql<Row>`
    select ${listedColumns}, e.message, e.stack_trace, e.previous_exceptions::json as previous_exceptions,
      e.context::json as context, e.runtime_name, e.runtime_version, e.framework_name, e.framework_version, e.additions,
      (select count(*)::int from ${kept} and e.id <= found.id) as position,
      (select max(e.id) from ${kept} and e.id < found.id) as previous_id,
      (select min(e.id) from ${kept} and e.id > found.id) as next_id
    from (select e.id from ${kept} ${selection}) found, lateral (select * from ${kept} and e.id = found.id) e`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw noSuchEvent();
  const { additions, runtime_name, runtime_version, framework_name, framework_version, ...rest } = row;
  const { debug_images = [], ...sent }: Stored =
    additions === null ? NONE : (JSON.parse(additions) as Stored);
  const event = {
    ...rest,
    received_at: withUtcOffset(rest.received_at),
    runtime: { name: runtime_name, version: runtime_version },
    framework: { name: framework_name, version: framework_version },
    ...sent,
  };
  return { event, debugImages: debug_images };
}

const NO_SUCH_EVENT = "There is no such event.";

export const noSuchEvent = () => notFound(NO_SUCH_EVENT);

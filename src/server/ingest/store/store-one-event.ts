import type { Query } from "../../db/query-keeping-connection.ts";
import type { Arrival } from "./event-batch.ts";
import { groupOf, keyOf } from "./group-identity.ts";
import { additionBytes, toKeptEvent, type KeptEvent } from "./kept-event.ts";
import type { KnownAliases } from "./known-aliases.ts";
import type { KnownGroups } from "./known-groups.ts";
import { textBytes } from "./stored-bytes.ts";
import type { OneEvent } from "./statement/one-event.ts";
import { STORE_EVENT, UNEXPECTED_CHANGES } from "./store-events-sql.ts";

/** The group that counts the event. `replaced` is as in `Growth`. */
type Row = { id: number; project_id: number; kept: number; replaced: number | null };
type Counted = Omit<Row, "replaced"> & { bytes: number };

/**
 * Stores one event with a small statement if, as far as this process knows, its group is open and has rows for its release
 * and host. Otherwise, or if the database disagrees, stores nothing and returns undefined.
 */
export async function storeOneEvent(
  query: Query,
  retentionDays: number,
  { projectId, event, isOnlyCounted = false }: Arrival,
  known: KnownGroups,
  aliases: KnownAliases,
): Promise<Counted | undefined> {
  const identity = groupOf(projectId, event);
  const isKnown = known.isOrdinary(identity) && known.hasReleaseAndHost(identity, event);
  if (!isKnown || isOnlyCounted || aliases.targetOf(identity)) return undefined;
  const { name, text, valuesOf } = STORE_EVENT;
  const isReleaseDue = known.isReleaseDue(identity, event.release);
  const keptEvent = toKeptEvent(event);
  const values = valuesOf(retentionDays, columns(identity, event, keptEvent, isReleaseDue));
  try {
    const { rows } = await query({ name, text, values });
    if (rows.length > 0) {
      const { replaced, ...group } = rows[0] as Row;
      const latest = textBytes(event) + additionBytes(keptEvent);
      const growth = { isNew: false, kept: group.kept, latest, further: 0, replaced };
      return { ...group, bytes: known.bytes.add(identity, event.release, growth) };
    }
  } catch (error) {
    if ((error as { code?: string }).code !== UNEXPECTED_CHANGES) throw error;
  }
  if (isReleaseDue) known.forgetRelease(identity, event.release);
  return undefined;
}

function columns(
  identity: string,
  event: Arrival["event"],
  { cut, ...kept }: KeptEvent,
  isReleaseDue: boolean,
): OneEvent {
  const { context, runtime, framework } = event;
  return {
    event: {
      ...kept,
      key: keyOf(identity),
      last_release: event.release,
      message: event.message,
      context_kind: context && context.kind,
      context_label: event.context_label,
      stack_trace: event.stack_trace,
      previous_exceptions: JSON.stringify(event.previous_exceptions),
      ...event.facts,
      runtime_name: runtime.name,
      runtime_version: runtime.version,
      framework_name: framework.name,
      framework_version: framework.version,
      context: context && JSON.stringify(context),
      level: event.level,
      event_id: event.event_id,
      host: event.host,
      user_hash: event.user_hash === null ? null : Buffer.from(event.user_hash, "hex"),
      cut: cut && JSON.stringify(cut),
      is_release_kept: Number(isReleaseDue),
    },
  };
}

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
type Row = Omit<Counted, "id" | "bytes"> & {
  id: number | null;
  replaced: number | null;
  is_past_first: boolean;
};
type Counted = { id: number; project_id: number; kept: number; bytes: number };

/** Bytes. A larger event of a group that is not known is not sent twice if the group is new. */
const SMALL = 64 * 1024;

/**
 * Stores one event with a function of the database if its group exists and is open. Stores nothing and returns undefined if
 * the group does not exist or, as far as this process knows, is not open, and if the database disagrees.
 */
export async function storeOneEvent(
  query: Query,
  retentionDays: number,
  { projectId, event, size, isOnlyCounted = false }: Arrival,
  known: KnownGroups,
  aliases: KnownAliases,
): Promise<Counted | undefined> {
  const identity = groupOf(projectId, event);
  const mayBeOpen = known.isOrdinary(identity) ?? size <= SMALL;
  if (!mayBeOpen || isOnlyCounted || aliases.targetOf(identity)) return undefined;
  const { name, text, valuesOf } = STORE_EVENT;
  const isReleaseDue = known.isReleaseDue(identity, event.release);
  const keptEvent = toKeptEvent(event);
  const values = valuesOf(retentionDays, columns(identity, event, keptEvent, isReleaseDue));
  try {
    const { rows } = await query({ name, text, values });
    const { id, project_id, kept, replaced, is_past_first } = rows[0] as Row;
    if (id !== null) {
      known.add(identity, { is_past_first, is_ordinary: true });
      const latest = textBytes(event) + additionBytes(keptEvent);
      const growth = { isNew: false, kept, latest, further: 0, replaced };
      return { id, project_id, kept, bytes: known.bytes.add(identity, event.release, growth) };
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
      ...event.facts,
      key: keyOf(identity),
      message: event.message,
      release: event.release,
      context_kind: context && context.kind,
      context_label: event.context_label,
      level: event.level,
      stack_trace: event.stack_trace,
      previous_exceptions: JSON.stringify(event.previous_exceptions),
      runtime_name: runtime.name,
      runtime_version: runtime.version,
      framework_name: framework.name,
      framework_version: framework.version,
      context: context && JSON.stringify(context),
      event_id: event.event_id,
      host: event.host,
      user_hash: event.user_hash === null ? null : Buffer.from(event.user_hash, "hex"),
      cut: cut && JSON.stringify(cut),
      is_release_kept: isReleaseDue,
    },
  };
}

import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { fingerprint as fingerprintOfTrace } from "../../ingest/read/fingerprint.ts";
import { additionsOf, type ReadEvent } from "../../ingest/read/read-event.ts";
import { RecentTexts } from "../../caches/recent-texts.ts";
import { namedFrame } from "../../ingest/read/sentry/event/frames.ts";
import { fingerprintOfFrames, normalizedFrames } from "../../ingest/read/sentry/event/sentry-fingerprint.ts";
import { groupOf, keyOf } from "../../ingest/store/group-identity.ts";
import { mappedIdentity } from "./mapped-identity.ts";

/**
 * Groups the events of a project by the original code of their frames. An event whose fingerprint has a group keeps it. For any other, the
 * fingerprint by mapped frames is computed once and stored, so that all later events with the same fingerprint get it. No map is parsed.
 */
export class MappedGrouping {
  readonly #db: Db;
  /** By `groupOf`, each with a fingerprint. Events that arrive together wait for the same lookup. */
  readonly #fingerprints = new RecentTexts<Promise<Buffer> | null>(MAX_CACHED_CHARACTERS);

  constructor(db: Db) {
    this.#db = db;
  }

  /** The event with the fingerprint to store it under. */
  async regroup(projectId: number, event: ReadEvent): Promise<ReadEvent> {
    const identity = groupOf(projectId, event);
    let finding = this.#fingerprints.get(identity);
    if (!finding) {
      finding = this.#find(projectId, event, identity);
      this.#fingerprints.set(identity, finding, identity.length + CHARACTERS_OF_VALUE);
      finding.catch(() => this.#fingerprints.set(identity, null));
    }
    const fingerprint = await finding;
    return fingerprint.equals(event.fingerprint) ? event : { ...event, fingerprint };
  }

  async #find(projectId: number, event: ReadEvent, identity: string): Promise<Buffer> {
    const { fingerprint } = event;
    const known = await readKnown(this.#db, projectId, fingerprint, keyOf(identity));
    if (known.has_group) return fingerprint;
    if (known.mapped) return known.mapped;
    const additions = additionsOf(event);
    if (!isByTrace(event, additions?.frames ?? [])) return fingerprint;
    const mapped = await mappedIdentity(this.#db, projectId, event, additions);
    if (!mapped) return fingerprint;
    const { rows } = await sql<{ mapped: Buffer }>`
      insert into mapped_fingerprints as m (project_id, fingerprint, mapped, lines)
      select id, ${fingerprint}, ${mapped.fingerprint}, ${JSON.stringify(mapped.lines)}::jsonb from projects where id = ${projectId}
      on conflict (project_id, fingerprint) do update set mapped = m.mapped
      returning mapped`.execute(this.#db);
    return rows[0]?.mapped ?? fingerprint;
  }
}

const MAX_CACHED_CHARACTERS = 16 * 1_048_576;
/** What an entry takes besides its text: the promise and its buffer. */
const CHARACTERS_OF_VALUE = 600;

async function readKnown(db: Db, projectId: number, fingerprint: Buffer, key: Buffer) {
  const { rows } = await sql<{ has_group: boolean; mapped: Buffer | null }>`
    select exists (select from error_groups where key = ${key}) or exists (select from error_group_aliases where key = ${key})
        as has_group,
      (select mapped from mapped_fingerprints where project_id = ${projectId} and fingerprint = ${fingerprint}) as mapped`.execute(
    db,
  );
  return rows[0] as { has_group: boolean; mapped: Buffer | null };
}

/** Whether the event has the fingerprint of its class and trace, rather than one that its client sent. */
function isByTrace(
  { exception_class, stack_trace, fingerprint }: ReadEvent,
  frames: readonly object[],
): boolean {
  const ofFrames = () => {
    const named = frames.map((frame) => namedFrame(frame as Parameters<typeof namedFrame>[0]));
    return fingerprintOfFrames(exception_class, normalizedFrames(named));
  };
  return (
    fingerprint.equals(fingerprintOfTrace(exception_class, stack_trace)) ||
    (frames.length > 0 && fingerprint.equals(ofFrames()))
  );
}

import { hash } from "node:crypto";
import type pg from "pg";
import { bigintArray, bytesArray, textArray } from "../../db/binary-array.ts";
import type { ReadEvent } from "./read-event.ts";
import { STORE_EVENTS } from "./store-events-sql.ts";

/** An event on its way into a project. `size` is the bytes of its body. */
export type Arrival = { projectId: number; event: ReadEvent; size: number };

/** A group that a batch touched; new when it began with it. */
export type StoredGroup = { id: number; project_id: number; is_new: boolean };

/**
 * Counts and stores a batch of events in one statement, hence one transaction: groups, days, releases, hosts and
 * users (service.md 2.10, 3.2, 4.7). Fails as a whole when one of the projects is gone.
 */
export async function storeEvents(
  pool: pg.Pool,
  retentionDays: number,
  arrivals: Arrival[],
): Promise<StoredGroup[]> {
  const batch = new GroupedBatch();
  for (const arrival of arrivals) batch.add(arrival);
  const { rows } = await pool.query<StoredGroup>({
    name: "store-events",
    text: STORE_EVENTS,
    values: [...batch.columns(), retentionDays],
  });
  return rows;
}

type Group = {
  n: number;
  key: Buffer;
  projectId: number;
  count: number;
  firstRelease: string | null;
  /** The release that all of the batch's events carry, or null when they differ or lack one. */
  onlyRelease: string | null;
  latest: ReadEvent;
};

/** The batch by group, and what is counted in each by release, host and user. */
class GroupedBatch {
  readonly #groups = new Map<string, Group>();
  readonly #releases = new Counts();
  readonly #hosts = new Counts();
  readonly #users = new Counts();

  /** Adds an event in the order of arrival. */
  add({ projectId, event }: Arrival) {
    const identity = `${projectId} ${event.fingerprint.toString("latin1")}${event.environment}`;
    let group = this.#groups.get(identity);
    if (group) {
      group.count++;
      group.latest = event;
      if (event.release !== group.onlyRelease) group.onlyRelease = null;
    } else {
      const { release } = event;
      const n = this.#groups.size;
      const key = hash("sha256", identity, "buffer");
      group = { n, key, projectId, count: 1, firstRelease: release, onlyRelease: release, latest: event };
      this.#groups.set(identity, group);
    }
    this.#releases.add(group.n, event.release);
    this.#hosts.add(group.n, event.host);
    this.#users.add(group.n, event.user_hash);
  }

  /** In the order of STORE_EVENTS' parameters. */
  columns(): Buffer[] {
    const groups = [...this.#groups.values()];
    const numbers = (of: (group: Group) => number | null) => bigintArray(groups.map(of));
    const texts = (of: (latest: ReadEvent) => string | null) =>
      textArray(groups.map((group) => of(group.latest)));
    return [
      numbers((group) => group.n),
      numbers((group) => group.projectId),
      bytesArray(groups.map((group) => group.key)),
      numbers((group) => group.count),
      numbers((group) => group.latest.memory_peak_bytes),
      numbers((group) => group.latest.memory_limit_bytes),
      texts((latest) => latest.environment),
      textArray(groups.map((group) => group.firstRelease)),
      textArray(groups.map((group) => group.onlyRelease)),
      texts((latest) => latest.release),
      texts((latest) => latest.exception_class),
      texts((latest) => latest.message),
      texts((latest) => latest.context && latest.context.kind),
      texts((latest) => latest.context_label),
      texts((latest) => latest.stack_trace),
      texts((latest) => JSON.stringify(latest.previous_exceptions)),
      texts((latest) => latest.exception_code),
      texts((latest) => latest.runtime.name),
      texts((latest) => latest.runtime.version),
      texts((latest) => latest.framework.name),
      texts((latest) => latest.framework.version),
      texts((latest) => latest.context && JSON.stringify(latest.context)),
      bigintArray(this.#releases.groups),
      textArray(this.#releases.values),
      bigintArray(this.#releases.counts),
      bigintArray(this.#hosts.groups),
      textArray(this.#hosts.values),
      bigintArray(this.#hosts.counts),
      bigintArray(this.#users.groups),
      bytesArray(this.#users.values.map((hash) => Buffer.from(hash, "hex"))),
    ];
  }
}

/** How often each value occurs in each group of a batch, as columns. */
class Counts {
  readonly groups: number[] = [];
  readonly values: string[] = [];
  readonly counts: number[] = [];
  readonly #places = new Map<string, number>();

  add(n: number, value: string | null) {
    if (value === null) return;
    const key = `${n} ${value}`;
    const place = this.#places.get(key);
    if (place !== undefined) {
      this.counts[place] = (this.counts[place] ?? 0) + 1;
      return;
    }
    this.#places.set(key, this.values.length);
    this.groups.push(n);
    this.values.push(value);
    this.counts.push(1);
  }
}

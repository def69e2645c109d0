import { hash } from "node:crypto";
import { bigintArray, bytesArray, textArray } from "../../db/binary-array.ts";
import type { ReadEvent } from "./read-event.ts";

/** A received event and its project. `size` is the size of its body in bytes. */
export type Arrival = { projectId: number; event: ReadEvent; size: number };

type Group = {
  n: number;
  key: Buffer;
  projectId: number;
  count: number;
  firstRelease: string | null;
  /** The release of all events of the group in this batch, or null if they differ or if one has none. */
  onlyRelease: string | null;
  latest: ReadEvent;
};

/** Identifies the group of an event. */
export const groupOf = (projectId: number, { fingerprint, environment }: ReadEvent): string =>
  `${projectId} ${fingerprint.toString("latin1")}${environment}`;

/** A batch of events by group, with counts per release, host and user. Its columns are the parameters of STORE_EVENTS. */
export class EventBatch {
  readonly #groups = new Map<string, Group>();
  readonly #releases = new Counts();
  readonly #hosts = new Counts();
  readonly #users = new Counts();

  /** Call in the order of arrival: the last event of a group is its latest. */
  add({ projectId, event }: Arrival) {
    const identity = groupOf(projectId, event);
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

  /** In the order of the parameters of STORE_EVENTS, in PostgreSQL's binary format. */
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

/** How often each value occurs in each group of a batch, as three parallel columns. */
class Counts {
  readonly groups: number[] = [];
  readonly values: string[] = [];
  readonly counts: number[] = [];
  readonly #indexes = new Map<string, number>();

  add(n: number, value: string | null) {
    if (value === null) return;
    const key = `${n} ${value}`;
    const index = this.#indexes.get(key);
    if (index !== undefined) {
      this.counts[index] = (this.counts[index] ?? 0) + 1;
      return;
    }
    this.#indexes.set(key, this.values.length);
    this.groups.push(n);
    this.values.push(value);
    this.counts.push(1);
  }
}

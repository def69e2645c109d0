import type pg from "pg";
import type { ReadEvent } from "./read-event.ts";
import { STORE_EVENTS } from "./store-sql.ts";

/** An event on its way into a project. `size` is the bytes of its body. */
export type Arrival = { projectId: number; event: ReadEvent; size: number };

/**
 * Counts and stores a batch of events in one statement, hence one transaction: groups, days, releases, hosts and
 * users (service.md 2.10, 3.2, 4.7). Answers for each event whether its project still exists.
 */
export async function storeEvents(
  pool: pg.Pool,
  retentionDays: number,
  arrivals: Arrival[],
): Promise<boolean[]> {
  const batch = new GroupedBatch();
  const numbers = arrivals.map((arrival) => batch.add(arrival));
  const { rows } = await pool.query<{ n: number }>({
    name: "store-events",
    text: STORE_EVENTS,
    values: [...batch.parameters(), retentionDays],
  });
  const stored = new Set(rows.map((row) => row.n));
  return numbers.map((n) => stored.has(n));
}

type Group = {
  n: number;
  project_id: number;
  environment: string;
  fingerprint: string;
  count: number;
  first_release: string | null;
  /** The release that all of the batch's events carry, or null when they differ or lack one. */
  only_release: string | null;
  latest: ReadEvent;
};

type Count = { n: number; of: string; count: number };

/** The batch by group, and what is counted in each by release, host and user. */
class GroupedBatch {
  readonly #groups = new Map<string, Group>();
  readonly #releases = new Map<string, Count>();
  readonly #hosts = new Map<string, Count>();
  readonly #users = new Map<string, Count>();

  /** Adds an event in the order of arrival; answers the number of its group. */
  add({ projectId, event }: Arrival): number {
    const key = `${projectId} ${event.fingerprint} ${event.environment}`;
    const known = this.#groups.get(key);
    const group = known ?? newGroup(this.#groups.size, projectId, event);
    if (known) {
      known.count++;
      known.latest = event;
      if (event.release !== known.only_release) known.only_release = null;
    } else this.#groups.set(key, group);
    count(this.#releases, group.n, event.release);
    count(this.#hosts, group.n, event.host);
    count(this.#users, group.n, event.user_hash);
    return group.n;
  }

  parameters(): string[] {
    const groups = [...this.#groups.values()].map(({ latest, ...group }) => ({
      ...group,
      exception_class: latest.exception_class,
      last_release: latest.release,
      message: latest.message,
      stack_trace: latest.stack_trace,
      previous_exceptions: latest.previous_exceptions,
      exception_code: latest.exception_code,
      runtime_name: latest.runtime.name,
      runtime_version: latest.runtime.version,
      framework_name: latest.framework.name,
      framework_version: latest.framework.version,
      memory_peak_bytes: latest.memory_peak_bytes,
      memory_limit_bytes: latest.memory_limit_bytes,
      context_kind: latest.context_kind,
      context_label: latest.context_label,
      context: latest.context,
    }));
    return [groups, ...[this.#releases, this.#hosts, this.#users].map((counts) => [...counts.values()])].map(
      (rows) => JSON.stringify(rows),
    );
  }
}

function newGroup(n: number, projectId: number, event: ReadEvent): Group {
  return {
    n,
    project_id: projectId,
    environment: event.environment,
    fingerprint: event.fingerprint,
    count: 1,
    first_release: event.release,
    only_release: event.release,
    latest: event,
  };
}

function count(counts: Map<string, Count>, n: number, of: string | null) {
  if (of === null) return;
  const key = `${n} ${of}`;
  const known = counts.get(key);
  if (known) known.count++;
  else counts.set(key, { n, of, count: 1 });
}

import { sql } from "kysely";
import { EverySecond } from "../../batching/every-second.ts";
import type { Db } from "../../db/connect.ts";

/** Where a project's envelopes go: its setting, which identifies its counts. */
export type Destination = { projectId: number; dsn: string };

type Counted = "sent" | "failed" | "dropped";

type Counts = Record<Counted, number> & { project_id: number; dsn: string; last_error: string | null };

/**
 * Counts what became of forwarded envelopes, in memory. At most one statement per second adds the counts to those of all processes. What a
 * process counted for a former DSN of a project is ignored.
 */
export class ForwardingCounter {
  readonly #db: Db;
  readonly #onError: (error: Error) => void;
  readonly #timer = new EverySecond(() => this.#write());
  #waiting = new Map<string, Counts>();

  constructor(db: Db, onError: (error: Error) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  count(destination: Destination, outcome: Counted): void {
    this.#countsOf(destination)[outcome]++;
  }

  noteError(destination: Destination, error: string): void {
    this.#countsOf(destination).last_error = error;
  }

  async close(): Promise<void> {
    await this.#timer.close();
  }

  #countsOf({ projectId, dsn }: Destination): Counts {
    const key = `${projectId} ${dsn}`;
    let counts = this.#waiting.get(key);
    if (!counts) {
      counts = { project_id: projectId, dsn, sent: 0, failed: 0, dropped: 0, last_error: null };
      this.#waiting.set(key, counts);
    }
    this.#timer.schedule();
    return counts;
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const rows = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      await ADD(JSON.stringify(rows)).execute(this.#db);
    } catch (error) {
      for (const row of rows) this.#addAgain(row);
      this.#onError(error as Error);
    }
  }

  #addAgain({ project_id, dsn, last_error, ...counted }: Counts): void {
    const counts = this.#countsOf({ projectId: project_id, dsn });
    for (const outcome of ["sent", "failed", "dropped"] as const) counts[outcome] += counted[outcome];
    counts.last_error ??= last_error;
  }
}

/** Locks the rows in the order of the projects, so that two processes cannot deadlock. */
const ADD = (rows: string) => sql`
  with counted as materialized (
    select f.project_id, u.sent, u.failed, u.dropped, u.last_error
    from json_to_recordset(${rows}) as
      u (project_id bigint, dsn text, sent bigint, failed bigint, dropped bigint, last_error text)
    join projects p on p.id = u.project_id and p.forward_dsn = u.dsn
    join project_forwarding f on f.project_id = p.id
    order by f.project_id for update of f
  )
  update project_forwarding f set sent = f.sent + c.sent, failed = f.failed + c.failed, dropped = f.dropped + c.dropped,
    last_error = coalesce(c.last_error, f.last_error)
  from counted c where f.project_id = c.project_id`;

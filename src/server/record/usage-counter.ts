import { sql } from "kysely";
import { DROPPED_DAYS } from "../../shared/inbound-rules.ts";
import { OUTCOMES } from "../../shared/usage.ts";
import { EverySecond } from "../batching/every-second.ts";
import type { Db } from "../db/connect.ts";

/** What is counted per project and day: events by their outcome, and about how many bytes they added to the database. */
const COUNTED = [...OUTCOMES, "stored_bytes"] as const;

type Counted = (typeof COUNTED)[number];

type Counts = Partial<Record<Counted, number>>;

type Options = {
  everyMs?: number;
  /** Bytes that the events of a project may add to the database per UTC day. */
  storageQuota?: number;
  onError?: (error: Error) => void;
};

/**
 * Counts the outcomes of events per project and UTC day. Counts in memory, so that rejecting a request stays cheap; at most one
 * statement per second writes all counts. After a quiet second the first count is written immediately, so that a page that is
 * updated by a single event shows the new count. If the process is killed, the counts of its last second are lost.
 *
 * Each write returns what all processes have stored for the project today, so they share its quota with an error of what they
 * store in a second.
 */
export class UsageCounter {
  readonly #db: Db;
  readonly #storageQuota: number;
  readonly #onError: (error: Error) => void;
  /** The bytes of all processes on the day of the last write. */
  readonly #stored = new Map<number, number>();
  #waiting = new Map<number, Counts>();
  #storms = new Set<number>();
  #dropped = new Map<number, number>();
  readonly #timer: EverySecond;

  constructor(db: Db, { everyMs, storageQuota = Infinity, onError = () => {} }: Options = {}) {
    this.#db = db;
    this.#timer = new EverySecond(() => this.#write(), { everyMs });
    this.#storageQuota = storageQuota;
    this.#onError = onError;
  }

  add(projectId: number, outcome: Counted, count = 1): void {
    if (count === 0) return;
    let counts = this.#waiting.get(projectId);
    if (!counts) this.#waiting.set(projectId, (counts = {}));
    counts[outcome] = (counts[outcome] ?? 0) + count;
    this.#timer.schedule();
  }

  /** Whether the project's events have added as many bytes to the database today as they may. */
  isStorageFull(projectId: number): boolean {
    const waiting = this.#waiting.get(projectId)?.stored_bytes ?? 0;
    return (this.#stored.get(projectId) ?? 0) + waiting >= this.#storageQuota;
  }

  /** Records that the project sends more events than can be stored. */
  noteStorm(projectId: number): void {
    this.#storms.add(projectId);
    this.#timer.schedule();
  }

  /** Counts an event as filtered, and as dropped by this inbound rule of the project. */
  addDropped(projectId: number, ruleId: number): void {
    this.#dropped.set(ruleId, (this.#dropped.get(ruleId) ?? 0) + 1);
    this.add(projectId, "filtered");
  }

  /** Writes what has been counted so far. */
  async close(): Promise<void> {
    await this.#timer.close();
  }

  async #write(): Promise<void> {
    await this.#writeStorms();
    if (this.#waiting.size === 0) return;
    const counted = this.#waiting;
    const dropped = this.#dropped;
    this.#waiting = new Map();
    this.#dropped = new Map();
    const rows = [...counted].map(([project_id, counts]) => ({ project_id, ...counts }));
    // What is being written also counts against the quota.
    this.#addStored(counted, 1);
    try {
      const { rows: totals } = await ADD(JSON.stringify(rows), JSON.stringify([...dropped])).execute(
        this.#db,
      );
      for (const { project_id, stored_bytes } of totals) this.#stored.set(project_id, stored_bytes);
    } catch (error) {
      this.#addStored(counted, -1);
      for (const [projectId, counts] of counted)
        for (const [outcome, count] of Object.entries(counts)) this.add(projectId, outcome as Counted, count);
      for (const [ruleId, count] of dropped)
        this.#dropped.set(ruleId, (this.#dropped.get(ruleId) ?? 0) + count);
      this.#onError(error as Error);
    }
  }

  #addStored(counted: Map<number, Counts>, sign: 1 | -1): void {
    for (const [projectId, { stored_bytes = 0 }] of counted)
      if (stored_bytes > 0)
        this.#stored.set(projectId, (this.#stored.get(projectId) ?? 0) + sign * stored_bytes);
  }

  async #writeStorms(): Promise<void> {
    if (this.#storms.size === 0) return;
    const storms = [...this.#storms];
    this.#storms.clear();
    await ADD_STORMS(storms).execute(this.#db).catch(this.#onError);
  }
}

/** Extends a storm that ended a moment ago, or starts a new one. In the order of the projects, like the counts. */
const ADD_STORMS = (projectIds: number[]) => sql`
  insert into project_storms as s (project_id, started_at, last_at)
  select id, now(), now() from projects
  where id = any(${projectIds}::bigint[]) and deleted_at is null
  order by id
  on conflict (project_id) do update set
    started_at = case when s.last_at < excluded.last_at - interval '10 minutes' then excluded.started_at else s.started_at end,
    last_at = excluded.last_at`;

const columns = (of: (counted: Counted) => string) => sql.raw(COUNTED.map(of).join(", "));

/**
 * In the order of the projects and rules, so that two processes cannot deadlock. `dropped` are pairs of a rule's id and a
 * count.
 */
const ADD = (rows: string, dropped: string) => sql<{ project_id: number; stored_bytes: number }>`
  with today as (select (clock_timestamp() at time zone 'UTC')::date as day),
  drops as materialized (
    select r.id, (pair.value ->> 1)::bigint as dropped
    from json_array_elements(${dropped}::json) pair join inbound_rules r on r.id = (pair.value ->> 0)::bigint
  ),
  expired as (
    delete from inbound_rule_drops o using drops, today
    where o.rule_id = drops.id and o.day <= today.day - ${DROPPED_DAYS}::int
  ),
  counted as (
    insert into inbound_rule_drops (rule_id, day, dropped)
    select drops.id, today.day, drops.dropped from drops, today order by drops.id
    on conflict (rule_id, day) do update set dropped = inbound_rule_drops.dropped + excluded.dropped
  )
  insert into project_usage (project_id, day, ${columns((outcome) => outcome)})
  select p.id, (clock_timestamp() at time zone 'UTC')::date, ${columns((outcome) => `coalesce(u.${outcome}, 0)`)}
  from json_to_recordset(${rows}) as u (project_id bigint, ${columns((outcome) => `${outcome} bigint`)})
  join projects p on p.id = u.project_id and p.deleted_at is null
  order by p.id
  on conflict (project_id, day) do update set
    ${columns((outcome) => `${outcome} = project_usage.${outcome} + excluded.${outcome}`)}
  returning project_id, stored_bytes`;

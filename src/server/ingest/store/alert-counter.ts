import { sql } from "kysely";
import { EverySecond } from "../../batching/every-second.ts";
import type { Db } from "../../db/connect.ts";
import { holdConditions, inAppFiles } from "../project-rules/alert-conditions.ts";
import type { CountingRule } from "../project-rules/project-rules.ts";
import { additionsOf, type ReadEvent } from "../read/read-event.ts";
import { groupOf, keyOf } from "./group-identity.ts";

type Waiting = { rule_id: number; key: string | null; assignee_id: number | null; events: number };

/**
 * Counts the stored events that meet the conditions of alert rules, per ten minutes. Counts in memory, and writes all counts with one
 * statement per second. If the process is killed, the counts of its last second are lost.
 */
export class AlertCounter {
  readonly #db: Db;
  readonly #onError: (error: Error) => void;
  readonly #timer = new EverySecond(() => this.#write());
  #waiting = new Map<string, Waiting>();

  constructor(db: Db, onError: (error: Error) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  add(projectId: number, event: ReadEvent, rules: readonly CountingRule[]): void {
    const facts = factsOf(event);
    for (const { id, if: conditions } of rules) {
      const { assignee_id = null } = conditions;
      // The database knows to whom the group is assigned.
      if (!holdConditions(conditions, { ...facts, assignee_id })) continue;
      const key = assignee_id === null ? null : keyOf(groupOf(projectId, event)).toString("hex");
      const place = `${id} ${key}`;
      const waiting = this.#waiting.get(place);
      if (waiting) waiting.events++;
      else this.#waiting.set(place, { rule_id: id, key, assignee_id, events: 1 });
    }
    if (this.#waiting.size > 0) this.#timer.schedule();
  }

  /** Writes what has been counted so far. */
  close(): Promise<void> {
    return this.#timer.close();
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const counted = this.#waiting;
    this.#waiting = new Map();
    await ADD(JSON.stringify([...counted.values()]))
      .execute(this.#db)
      .catch(this.#onError);
  }
}

const factsOf = (event: ReadEvent) => ({
  environment: event.environment,
  level: event.level,
  exception_class: event.exception_class,
  message: event.message,
  tags: () => additionsOf(event)?.tags ?? {},
  files: () => inAppFiles(additionsOf(event)?.frames ?? [], event.stack_trace),
});

/** In the order of the rules, so that two processes cannot deadlock. */
const ADD = (rows: string) => sql`
  insert into alert_rule_counts as c (rule_id, span, events)
  select r.id, date_bin('10 minutes', clock_timestamp(), 'epoch'), sum(a.events)
  from json_to_recordset(${rows}) as a (rule_id bigint, key text, assignee_id bigint, events bigint)
  join alert_rules r on r.id = a.rule_id
  where a.key is null or exists (
    select from error_groups g where g.assignee_id = a.assignee_id and g.id = coalesce(
      (select group_id from error_group_aliases where key = decode(a.key, 'hex')),
      (select id from error_groups where key = decode(a.key, 'hex'))))
  group by r.id order by r.id
  on conflict (rule_id, span) do update set events = c.events + excluded.events`;

import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import type { NotifiedGroup } from "../../inform/notify/notified-groups.ts";
import type { ActiveRule } from "./active-rules.ts";

/** What a rule fires for; a rule about all events of a project fires for the project. */
export type Subject =
  | { kind: "error_group"; id: number; group: NotifiedGroup }
  | { kind: "report"; id: number; title: string }
  | { kind: "release"; id: number; version: string }
  | { kind: "project"; id: number };

/** `message` is a sentence without its final period. */
export type Firing = { rule: ActiveRule; subject: Subject; message: string };

/**
 * Records the firings, and returns those that the rules' limits allow: at most one per rule and subject in `every_minutes`. Rules with
 * a threshold stay open until they recover.
 */
export async function allowFirings(
  tx: Tx,
  firings: Firing[],
  { isOpen = false }: { isOpen?: boolean } = {},
): Promise<Firing[]> {
  const limited = firings.filter(({ rule }) => rule.every_minutes > 0);
  const allowed = await takeTurns(tx, limited, isOpen);
  const allowedFirings = firings.filter((firing) => {
    if (firing.rule.every_minutes === 0) return true;
    // Only the first of several firings of a rule for the same subject.
    return allowed.delete(keyOf(firing));
  });
  await noteFirings(tx, [...new Set(allowedFirings.map(({ rule }) => rule.id))]);
  return allowedFirings;
}

const keyOf = ({ rule, subject }: Pick<Firing, "rule" | "subject">) => `${rule.id} ${subject.id}`;

async function takeTurns(tx: Tx, firings: Firing[], isOpen: boolean): Promise<Set<string>> {
  if (firings.length === 0) return new Set();
  const rows = firings.map(({ rule, subject }) => ({ rule_id: rule.id, subject_id: subject.id }));
  const { rows: taken } = await sql<{ rule_id: number; subject_id: number }>`
    insert into alert_firings as f (rule_id, subject_id, fired_at, is_open)
    select distinct on (rule_id, subject_id) rule_id, subject_id, clock_timestamp(), ${isOpen}
    from json_to_recordset(${JSON.stringify(rows)}) as r (rule_id bigint, subject_id bigint)
    where exists (select from alert_rules where id = rule_id)
    order by rule_id, subject_id
    on conflict (rule_id, subject_id) do update set fired_at = excluded.fired_at, is_open = excluded.is_open
      where f.fired_at <= excluded.fired_at - make_interval(mins => (
        select every_minutes from alert_rules where id = excluded.rule_id))
    returning rule_id, subject_id`.execute(tx);
  return new Set(taken.map(({ rule_id, subject_id }) => `${rule_id} ${subject_id}`));
}

async function noteFirings(tx: Tx, ruleIds: number[]): Promise<void> {
  if (ruleIds.length === 0) return;
  await sql`
    insert into alert_rule_firings (rule_id, last_fired_at)
    select id, clock_timestamp() from alert_rules where id = any(${ruleIds}::bigint[]) order by id
    on conflict (rule_id) do update set last_fired_at = excluded.last_fired_at`.execute(tx);
}

import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { quoteTitle } from "../../inform/notify/message-parts.ts";
import type { NotifiedProject } from "../../inform/notify/notified-groups.ts";
import { readActiveRules } from "./active-rules.ts";
import { carryOut } from "./carry-out.ts";
import { allowFirings, type Firing } from "./firing.ts";

/** Reports per transaction. */
const AT_ONCE = 200;

type Options = { retentionDays: number; signal?: AbortSignal };

/**
 * Runs the rules for reports that are new, or that wait for too long. Takes each new report in the transaction that notifies of it.
 * Any number of processes may call this.
 */
export async function fireForReports(db: Db, { retentionDays, signal }: Options): Promise<void> {
  for (const fireNext of [fireForNew, fireForWaiting]) {
    let isMore = true;
    while (isMore) {
      signal?.throwIfAborted();
      isMore = await db.transaction().execute((tx) => fireNext(tx, retentionDays));
    }
  }
}

type NotifiedReport = { id: number; title: string; project: NotifiedProject };

async function fireForNew(tx: Tx, retentionDays: number): Promise<boolean> {
  const { rows } = await sql<NotifiedReport>`
    with taken as (
      delete from new_reports where report_id in (
        select report_id from new_reports order by report_id limit ${AT_ONCE} for update skip locked)
      returning report_id
    )
    select r.id, r.title, ${project} as project
    from taken join reports r on r.id = taken.report_id join ${visible} order by r.id`.execute(tx);
  const rules = await readActiveRules(
    tx,
    ["report_created"],
    [...new Set(rows.map((row) => row.project.id))],
  );
  const firings = rules.flatMap((rule) =>
    rows
      .filter((row) => row.project.id === rule.project_id)
      .map(({ id, title }): Firing => ({
        rule,
        subject: { kind: "report", id, title },
        message: `New report ${quoteTitle(title)}`,
      })),
  );
  await carryOutByProject(tx, rows, await allowFirings(tx, firings), retentionDays);
  return rows.length > 0;
}

/** Each report fires once per rule, because its row in `alert_firings` stays as long as it waits. */
async function fireForWaiting(tx: Tx, retentionDays: number): Promise<boolean> {
  const rules = await readActiveRules(tx, ["report_waiting"]);
  if (rules.length === 0) return false;
  const waiting = rules.map(({ id, project_id, when }) => ({ rule_id: id, project_id, ...when }));
  const { rows } = await sql<NotifiedReport & { rule_id: number; days: number }>`
    select w.rule_id, w.days, r.id, r.title, ${project} as project
    from json_to_recordset(${JSON.stringify(waiting)}) as w (rule_id bigint, project_id bigint, days int)
    join reports r on r.project_id = w.project_id and r.promoted_at is null and r.dismissed_at is null
      and r.created_at <= clock_timestamp() - make_interval(days => w.days)
    join ${visible}
    where not exists (select from alert_firings f where f.rule_id = w.rule_id and f.subject_id = r.id)
    order by r.id, w.rule_id limit ${AT_ONCE}`.execute(tx);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const firings = rows.flatMap(({ rule_id, days, id, title }): Firing[] => {
    const rule = byId.get(rule_id);
    const message = `The report ${quoteTitle(title)} has waited for ${days} ${days === 1 ? "day" : "days"}`;
    return rule ? [{ rule, subject: { kind: "report", id, title }, message }] : [];
  });
  await carryOutByProject(tx, rows, await allowFirings(tx, firings), retentionDays);
  return rows.length === AT_ONCE;
}

async function carryOutByProject(
  tx: Tx,
  reports: NotifiedReport[],
  firings: Firing[],
  retentionDays: number,
): Promise<void> {
  const projects = new Map(reports.map((report) => [report.project.id, report.project]));
  for (const [id, own] of [...Map.groupBy(firings, ({ rule }) => rule.project_id)].sort(([a], [b]) => a - b))
    await carryOut(tx, projects.get(id) as NotifiedProject, own, { retentionDays });
}

const project = sql`json_build_object('id', p.id, 'workspace_id', p.workspace_id, 'key', p.key, 'name', p.name)`;

const visible = sql`projects p on p.id = r.project_id and p.deleted_at is null
    join workspaces w2 on w2.id = p.workspace_id and w2.reports_enabled`;

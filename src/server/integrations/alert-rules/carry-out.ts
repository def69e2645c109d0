import { sql, type RawBuilder } from "kysely";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Release } from "../../../shared/releases.ts";
import type { Report } from "../../../shared/reports.ts";
import type { Tx } from "../../db/connect.ts";
import { readErrorGroups } from "../../errors/groups/read-group.ts";
import { readReleases } from "../../errors/releases/list-releases.ts";
import type { GroupNotice } from "../../inform/notify/notify-about-groups.ts";
import type { NotifiedProject } from "../../inform/notify/notified-groups.ts";
import { queueAlerts } from "../../record/webhook-events.ts";
import { readReports } from "../../reports/read-report.ts";
import type { Firing, Subject } from "./firing.ts";
import { notifyOfFirings } from "./notify-of-firings.ts";

type Options = {
  retentionDays: number;
  /** Firings that are over: the same people and webhooks are told. */
  recoveries?: Firing[];
  others?: { notices: GroupNotice[]; recipients: RawBuilder<unknown> };
};

/** Does what the rules say: notifies people and webhooks, and queues what is done to the groups. */
export async function carryOut(
  tx: Tx,
  project: NotifiedProject,
  firings: Firing[],
  { retentionDays, recoveries = [], others }: Options,
): Promise<void> {
  // Together, so that concurrent transactions lock the emails of users in the same order.
  await notifyOfFirings(tx, project, [...firings, ...recoveries], others);
  await alertWebhooks(tx, project, { firings, type: "alert.fired", retentionDays });
  await alertWebhooks(tx, project, { firings: recoveries, type: "alert.recovered", retentionDays });
  const actions = firings.flatMap(({ rule, subject }) =>
    rule.then
      .filter(({ to }) => to === "issue" || to === "assign")
      .map((action) => ({ rule_id: rule.id, group_id: subject.id, action })),
  );
  if (actions.length === 0) return;
  await sql`
    insert into alert_actions (rule_id, group_id, action)
    select rule_id, group_id, action from json_to_recordset(${JSON.stringify(actions)})
      as a (rule_id bigint, group_id bigint, action jsonb)
    where exists (select from alert_rules where id = rule_id)`.execute(tx);
}

type Alert = { firings: Firing[]; type: "alert.fired" | "alert.recovered"; retentionDays: number };

async function alertWebhooks(
  tx: Tx,
  project: NotifiedProject,
  { firings, type, retentionDays }: Alert,
): Promise<void> {
  const wanted = firings.flatMap((firing) =>
    firing.rule.then.flatMap((action) =>
      action.to === "webhook" ? [{ ...firing, webhookId: action.webhook_id }] : [],
    ),
  );
  if (wanted.length === 0) return;
  const subjects = await readSubjects(
    tx,
    project,
    wanted.map(({ subject }) => subject),
    retentionDays,
  );
  const alerts = wanted.flatMap(({ rule, subject, webhookId }) => {
    const object = subjects.get(`${subject.kind} ${subject.id}`);
    if (!object) return [];
    const data = { rule: { id: rule.id, name: rule.name }, [subject.kind]: object };
    return [{ type, kind: subject.kind, id: subject.id, data, webhookId }];
  });
  await queueAlerts(tx, project.id, alerts);
}

/** The subjects as their GET routes return them. */
async function readSubjects(
  tx: Tx,
  project: NotifiedProject,
  subjects: Subject[],
  retentionDays: number,
): Promise<Map<string, object>> {
  const idsOf = (kind: Subject["kind"]) => [
    ...new Set(subjects.filter((subject) => subject.kind === kind).map(({ id }) => id)),
  ];
  const add = (kind: Subject["kind"], objects: (ErrorGroup | Report | Release)[]) => {
    for (const object of objects) byKey.set(`${kind} ${object.id}`, object);
  };
  const byKey = new Map<string, object>([
    [`project ${project.id}`, { id: project.id, key: project.key, name: project.name }],
  ]);
  const [groups, reports, releases] = [idsOf("error_group"), idsOf("report"), idsOf("release")];
  if (groups.length > 0)
    add("error_group", await readErrorGroups({ db: tx, retentionDays }, project.id, groups));
  if (reports.length > 0) add("report", await readReports(tx, project.id, reports));
  if (releases.length > 0) add("release", await readReleases(tx, project.id, releases));
  return byKey;
}

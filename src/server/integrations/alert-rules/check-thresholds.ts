import { sql } from "kysely";
import { RECOVERING_KINDS } from "../../../shared/alert-rules.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { nameError, readNotifiedGroups, type NotifiedProject } from "../../inform/notify/notified-groups.ts";
import { readActiveRules, type ActiveRule } from "./active-rules.ts";
import { carryOut } from "./carry-out.ts";
import { checkCrashFree, quantity } from "./crash-free-rules.ts";
import { thoseThatMeetConditions } from "./check-conditions.ts";
import { allowFirings, type Firing, type Subject } from "./firing.ts";
import { keepGroupCounts, readWindowCounts, type WindowCount } from "./window-counts.ts";

type Options = { retentionDays: number };

/**
 * Fires the rules whose count is exceeded, and ends the firings whose count no longer is. Several processes may call this: one of
 * them works at a time, and the others return.
 */
export async function checkThresholds(db: Db, { retentionDays }: Options): Promise<void> {
  const all = await readActiveRules(db, RECOVERING_KINDS);
  if (all.length === 0) return;
  const rules = all.filter(({ kind }) => kind !== "release_crash_free");
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('alert thresholds', 0)) as is_mine`.execute(tx);
    if (!rows[0]?.is_mine) return;
    await keepGroupCounts(tx, rules);
    const counts = await readWindowCounts(tx, rules);
    const crashFree = await checkCrashFree(tx, all);
    if (counts.length + crashFree.below.length + crashFree.recovered.length === 0) return;
    const subjects = await readSubjects(tx, rules, counts, [...crashFree.below, ...crashFree.recovered]);
    const inProjects = (some: Firing[]) => some.filter(({ rule }) => subjects.projects.has(rule.project_id));
    const exceeded = counts.filter(({ rule_id, events }) => events > countOf(rules, rule_id));
    const holding = await thoseThatMeetConditions(
      tx,
      toFirings(rules, subjects, exceeded, describe),
      checkOf,
    );
    const exceeding = [...holding, ...inProjects(crashFree.below)];
    const firings = await allowFirings(tx, exceeding, { isOpen: true });
    const over = counts.filter((count) => count.is_open && !exceeded.includes(count));
    const recovered = await closeFirings(tx, [
      ...toFirings(rules, subjects, over, describeRecovery),
      ...inProjects(crashFree.recovered),
    ]);
    for (const [id, project] of [...subjects.projects].sort(([a], [b]) => a - b)) {
      const own = (all: Firing[]) => all.filter(({ rule }) => rule.project_id === id);
      await carryOut(tx, project, own(firings), { retentionDays, recoveries: own(recovered) });
    }
  });
}

const countOf = (rules: ActiveRule[], ruleId: number): number => {
  const when = rules.find(({ id }) => id === ruleId)?.when;
  return when && "count" in when ? when.count : Infinity;
};

type Subjects = { projects: Map<number, NotifiedProject>; byId: Map<number, Subject> };

/** Leaves out projects that are deleted or whose workspace has turned error tracking off. */
async function readSubjects(
  tx: Tx,
  rules: ActiveRule[],
  counts: WindowCount[],
  aboutReleases: Firing[],
): Promise<Subjects> {
  const ofProjects = new Set(rules.filter(({ kind }) => kind === "project_events").map(({ id }) => id));
  const groupIds = counts
    .filter(({ rule_id }) => !ofProjects.has(rule_id))
    .map(({ subject_id }) => subject_id);
  const projectIds = counts
    .filter(({ rule_id }) => ofProjects.has(rule_id))
    .map(({ subject_id }) => subject_id);
  const { rows } = await sql<NotifiedProject>`
    select p.id, p.workspace_id, p.key, p.name from projects p
    join workspaces w on w.id = p.workspace_id and w.error_tracking_enabled
    where p.id = any(${[...projectIds, ...aboutReleases.map(({ rule }) => rule.project_id)]}::bigint[]) and p.deleted_at is null`.execute(
    tx,
  );
  const projects = new Map(rows.map((project) => [project.id, project]));
  const byId = new Map<number, Subject>();
  for (const { project, groups } of await readNotifiedGroups(tx, [...new Set(groupIds)])) {
    projects.set(project.id, project);
    for (const [id, group] of groups) byId.set(id, { kind: "error_group", id, group });
  }
  return { projects, byId };
}

type Describe = (rule: ActiveRule, subject: Subject, events: number) => string;

function toFirings(
  rules: ActiveRule[],
  { projects, byId }: Subjects,
  counts: WindowCount[],
  describeCount: Describe,
): Firing[] {
  const rulesById = new Map(rules.map((rule) => [rule.id, rule]));
  return counts.flatMap(({ rule_id, subject_id, events }) => {
    const rule = rulesById.get(rule_id);
    if (!rule || !projects.has(rule.project_id)) return [];
    const subject: Subject | undefined =
      rule.kind === "project_events" ? { kind: "project", id: subject_id } : byId.get(subject_id);
    return subject ? [{ rule, subject, message: describeCount(rule, subject, events) }] : [];
  });
}

/** Rules about groups check the latest event; those about the project have counted only what meets their conditions. */
const checkOf = ({ rule, subject }: Firing) =>
  subject.kind === "error_group"
    ? { conditions: rule.if, group_id: subject.id, event: "latest" as const }
    : undefined;

async function closeFirings(tx: Tx, firings: Firing[]): Promise<Firing[]> {
  if (firings.length === 0) return [];
  const rows = firings.map(({ rule, subject }) => ({ rule_id: rule.id, subject_id: subject.id }));
  await sql`
    update alert_firings f set is_open = false
    from json_to_recordset(${JSON.stringify(rows)}) as r (rule_id bigint, subject_id bigint)
    where f.rule_id = r.rule_id and f.subject_id = r.subject_id`.execute(tx);
  return firings;
}

const capitalize = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const nameSubject = (subject: Subject) =>
  subject.kind === "error_group" ? nameError(subject.group) : "the project";

function describe(rule: ActiveRule, subject: Subject, events: number): string {
  const { count, minutes } = thresholdOf(rule);
  const what =
    rule.kind === "group_users"
      ? `has affected more than ${quantity(count, "user")}`
      : `has had ${quantity(events, "event")}`;
  return `${capitalize(nameSubject(subject))} ${what} in ${quantity(minutes, "minute")}`;
}

function describeRecovery(rule: ActiveRule, subject: Subject): string {
  const { count, minutes } = thresholdOf(rule);
  const unit = rule.kind === "group_users" ? "user" : "event";
  return `${capitalize(nameSubject(subject))} has recovered: at most ${quantity(count, unit)} in ${quantity(minutes, "minute")}`;
}

const thresholdOf = ({ when }: ActiveRule) =>
  "count" in when && "minutes" in when ? when : { count: 0, minutes: 0 };

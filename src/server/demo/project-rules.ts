import type { Tx } from "../db/connect.ts";
import { createInboundRule } from "../errors/rules/inbound/create-rule.ts";
import { createAlertRule } from "../integrations/alert-rules/create-rule.ts";
import { createPrivacyRule } from "../errors/rules/privacy/create-rule.ts";
import type { ReadingOptions } from "../ingest/read/read-event.ts";
import { inboundRuleBody } from "../../shared/inbound-rules.ts";
import { alertRuleBody } from "../../shared/alert-rules.ts";
import { privacyRuleBody } from "../../shared/privacy-rules.ts";
import type { InboundKind } from "../../shared/rule-kinds.ts";
import { actingAs, inTransaction } from "./in-transaction.ts";
import type { DemoErrorGroup } from "./error-groups.ts";
import type { Random } from "./samples/seeded-random.ts";
import { dateAt, DAY, dayOf } from "./times.ts";
import type { ProjectSetup } from "./workspace.ts";

const PRIVACY_RULES = [
  { name: "Loyalty number", key_pattern: "^loyalty_(number|card)$" },
  { name: "Frame number", value_pattern: "NWB-[0-9]{8}" },
  { name: "Phone number", key_pattern: "phone", active: false },
];

/** `perDay`: how many events the rule drops on an average day. */
type DroppingRule = { kind: InboundKind; pattern?: string; active?: boolean; perDay: number };

const INBOUND_RULES: DroppingRule[] = [
  { kind: "message", pattern: "^ResizeObserver loop", perDay: 140 },
  { kind: "browser_extensions", perDay: 36 },
  { kind: "web_crawlers", perDay: 21 },
  { kind: "old_browsers", perDay: 8 },
  { kind: "environment", pattern: "^preview-", active: false, perDay: 0 },
];

const ALERT_RULES = [
  {
    name: "Many people affected",
    when: { kind: "group_users", count: 50, minutes: 60 },
    if: { environment: "production" },
    then: [
      { to: "inbox", recipients: ["watchers", "assignee"] },
      { to: "issue", priority: 0 },
    ],
  },
];

/** Turns on what links reports, issues, errors and releases, and adds rules. Returns how the project reads events. */
export async function makeRules(
  tx: Tx,
  { project, template, people }: ProjectSetup,
): Promise<ReadingOptions> {
  await tx
    .updateTable("projects")
    .set({
      close_resolves: true,
      regression_reopens: true,
      ship_tells_reporters: true,
      repository_url_pattern: `${template.repository}/src/{release}/{path}#L{line}`,
    })
    .where("id", "=", project.id)
    .execute();
  await actingAs(people[0]?.id as number, async () => {
    for (const rule of PRIVACY_RULES)
      await createPrivacyRule(inTransaction(tx), project.id, privacyRuleBody.parse(rule));
    for (const { perDay: _, ...rule } of INBOUND_RULES)
      await createInboundRule(inTransaction(tx), project.id, inboundRuleBody.parse(rule));
    for (const rule of ALERT_RULES)
      await createAlertRule(inTransaction(tx), project, people[0]?.id as number, alertRuleBody.parse(rule));
  });
  const active = PRIVACY_RULES.filter((rule) => rule.active !== false).map(
    ({ name, key_pattern = null, value_pattern = null }) => ({ name, key_pattern, value_pattern }),
  );
  return { keepVars: false, privacyRules: JSON.stringify(active) };
}

const USAGE_DAYS = 90;

/** Usage per day. What was accepted is what the groups counted, and what was filtered is what the rules dropped. */
export async function makeUsage(
  tx: Tx,
  projectId: number,
  { groups, now, random }: { groups: DemoErrorGroup[]; now: number; random: Random },
): Promise<void> {
  const rules = await tx
    .selectFrom("inbound_rules")
    .select("id")
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute();
  const drops = rules.flatMap(({ id }, index) => {
    const { perDay = 0 } = INBOUND_RULES[index] ?? {};
    return daysBefore(now).map((day) => ({
      rule_id: id,
      day,
      dropped: Math.round(perDay * (0.5 + random.fraction())),
    }));
  });
  await tx
    .insertInto("inbound_rule_drops")
    .values(drops.filter(({ dropped }) => dropped > 0))
    .execute();
  const accepted = countAccepted(groups);
  const usage = daysBefore(now).map((day, ago) => {
    const events = accepted.get(dayOf(now) - ago) ?? 0;
    // On some days a client sends more than the rate limit allows.
    const isStormy = random.chance(0.08);
    return {
      project_id: projectId,
      day,
      accepted: events,
      kept: Math.min(events, Math.round(events * (0.15 + 0.2 * random.fraction()))),
      limited: isStormy ? random.integer(200, 900) : 0,
      invalid: random.chance(0.4) ? random.integer(1, 12) : 0,
      filtered: drops.reduce((sum, drop) => sum + (drop.day === day ? drop.dropped : 0), 0),
      duplicate: random.integer(0, 9),
      discarded: random.integer(20, 160),
    };
  });
  await tx.insertInto("project_usage").values(usage).execute();
}

/** UTC dates, today first. */
const daysBefore = (now: number): string[] =>
  Array.from({ length: USAGE_DAYS }, (_, ago) => dateAt(now - ago * DAY));

/** Events per day since 1970. */
function countAccepted(groups: DemoErrorGroup[]): Map<number, number> {
  const accepted = new Map<number, number>();
  for (const { last, days } of groups)
    for (const [ago, count] of days.entries()) {
      const day = dayOf(last) - ago;
      accepted.set(day, (accepted.get(day) ?? 0) + count);
    }
  return accepted;
}

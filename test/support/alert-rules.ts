import assert from "node:assert/strict";
import { sql } from "kysely";
import { pino } from "pino";
import type { ReadFrames } from "../../src/server/errors/groups/routes.ts";
import { readLatestFrames } from "../../src/server/errors/kept-events/read-mapped-event.ts";
import { checkThresholds } from "../../src/server/integrations/alert-rules/check-thresholds.ts";
import { notifyOfErrors } from "../../src/server/integrations/alert-rules/notify-of-errors.ts";
import { performActions } from "../../src/server/integrations/alert-rules/perform-actions.ts";
import { fireForReports } from "../../src/server/integrations/alert-rules/report-rules.ts";
import { SourceMapReader } from "../../src/server/source-maps/mapping/map-reader.ts";
import type { AlertPreview, AlertRule } from "../../src/shared/alert-rules.ts";
import { furtherMessagesTo } from "./inbox.ts";
import { makeMember, type TestUser } from "./make.ts";
import { openProject } from "./project.ts";
import type { TestApp } from "./test-app.ts";

const retentionDays = 90;
export const PUBLIC_URL = "https://track.example.com";

/** A new project without default rules, a member, and what tests of rules do with them. */
export async function openAlerts(t: TestApp, workspace: { id: number; admin: TestUser }) {
  const project = await openProject(t, workspace);
  const path = `/api/projects/${project.id}`;
  const url = `${path}/alert-rules`;
  await t.db.deleteFrom("alert_rules").where("project_id", "=", project.id).execute();
  const member = await makeMember(t.db, project.id);
  const toMember = { to: "inbox", user_ids: [member.id] };
  const create = async (rule: object): Promise<AlertRule> => {
    const answer = await project.admin.post(url, {
      name: "Rule",
      when: { kind: "new_group" },
      then: [toMember],
      ...rule,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  return {
    ...project,
    path,
    url,
    member,
    toMember,
    create,
    preview: async (body: object): Promise<AlertPreview> => {
      const answer = await project.admin.post(`${url}/preview`, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    messages: async (user: TestUser = member) =>
      (await furtherMessagesTo(t, user)).filter(([type]) => type === 17).map(([, message]) => message),
    makeWebhook: async (): Promise<number> => {
      const hook = { url: "https://hooks.example.com/in", events: ["issue.created"] };
      return (await project.admin.post(`${path}/webhooks`, hook)).body.id;
    },
    /** The bodies of the deliveries to a webhook, oldest first. */
    deliveries: async (webhookId: number) => {
      const rows = await t.db
        .selectFrom("webhook_deliveries")
        .select("body")
        .where("webhook_id", "=", webhookId)
        .orderBy("id")
        .execute();
      return rows.map(({ body }) => JSON.parse(body));
    },
    groupIds: async (): Promise<number[]> => {
      const groups = t.db.selectFrom("error_groups").select("id").where("project_id", "=", project.id);
      return (await groups.orderBy("id").execute()).map(({ id }) => id);
    },
  };
}

/** Runs the jobs of rules in two processes at once. */
export async function runRules(t: TestApp): Promise<void> {
  await Promise.all([1, 2].map(() => notifyOfErrors(t.db, { retentionDays })));
  await Promise.all([1, 2].map(() => fireForReports(t.db, { retentionDays })));
  await Promise.all([1, 2].map(() => checkThresholds(t.db, { retentionDays })));
  const publicUrl = () => PUBLIC_URL;
  const sourceMaps = new SourceMapReader(t.storage, pino({ level: "silent" }));
  const readFrames: ReadFrames = (errorDb, group) => readLatestFrames(errorDb, sourceMaps, group);
  await Promise.all([1, 2].map(() => performActions(t.db, { retentionDays, publicUrl, readFrames })));
  await sourceMaps.close();
}

/** As if the rule had fired that long ago. */
export const ageFirings = (t: TestApp, ruleId: number, minutes: number) =>
  sql`update alert_firings set fired_at = fired_at - make_interval(mins => ${minutes}) where rule_id = ${ruleId}`.execute(
    t.db,
  );

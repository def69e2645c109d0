import assert from "node:assert/strict";
import { sql } from "kysely";
import { readServerSecret } from "../../src/server/reports/status/server-secret.ts";
import { statusToken } from "../../src/server/reports/status/report-token.ts";
import { createReport, OUTSIDE } from "../../src/server/reports/create-report.ts";
import type { Client } from "./client.ts";
import { PUBLIC, type useMailDelivery } from "./mail-delivery.ts";
import { makeWorkspace } from "./make.ts";
import { openProject, type TestProject } from "./project.ts";
import type { Received } from "./smtp-sink.ts";

type Post = Awaited<ReturnType<typeof useMailDelivery>>;

/** A report from outside, and what its status link allows. */
export type OutsideReport = { id: number; url: string; token: string };

/** A project with people outside the team who report to it, and the emails that they get. */
export async function openOutside(post: Post) {
  const { t } = post;
  const workspace = await makeWorkspace(t.db);
  const project = await openProject(t, workspace);
  const path = `/api/projects/${project.id}`;

  const report = async ({ title = "The cart is empty", email }: { title?: string; email?: string } = {}) => {
    const body = {
      title,
      description: "It was full before",
      ...(email !== undefined && { author_email: email }),
    };
    const { id } = await createReport(t.db, project.id, { creator: OUTSIDE, body });
    const row = await t.db.selectFrom("reports").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const token = statusToken(await readServerSecret(t.db), row);
    assert.ok(token);
    return { id, token, url: `${path}/reports/${id}` };
  };

  /** The emails since the last call, by recipient. */
  const mails = async (): Promise<Received[]> => {
    await post.delivery.deliver();
    return post.sink.mails.splice(0);
  };

  const subscribe = async ({ token }: OutsideReport, email: string) => {
    const answer = await t.http.post(`/api/r/${token}/subscription`, { email });
    assert.deepEqual([answer.status, answer.body], [202, {}], answer.text);
  };

  /** Subscribes an address and confirms it with the link in the email. */
  const confirm = async (of: OutsideReport, email: string) => {
    await mails();
    await subscribe(of, email);
    const mail = (await mails()).find(({ recipients }) => recipients.includes(email));
    const answer = await t.http.post(`/api${pathIn(mail, "confirm")}`);
    assert.equal(answer.status, 204, answer.text);
    // So that the limit of such emails does not matter to tests of something else.
    await t.db
      .updateTable("mails")
      .set({ created_at: sql`created_at - interval '25 hours'` })
      .where("address", "=", email)
      .execute();
  };

  return { ...project, path, report, mails, subscribe, confirm, workspace };
}

/** The path of a link in an email: the one of a subscription that ends with `action`, or one that begins with it. */
export function pathIn(mail: Received | undefined, action: "confirm" | "unsubscribe" | "r" | "mine"): string {
  const pattern =
    action === "r" || action === "mine"
      ? new RegExp(`${PUBLIC}(/${action}/[\\w-]{22})\\b`)
      : new RegExp(`${PUBLIC}(/subscriptions/[\\w-]{22}/${action})\\b`);
  const [, found] = pattern.exec(mail?.text ?? "") ?? [];
  assert.ok(found, `a link to ${action} in ${mail?.text ?? "no email"}`);
  return found;
}

export async function moveToLane(project: TestProject, issueId: number, kind: string): Promise<void> {
  const lanes = (await project.admin.get(`/api/projects/${project.id}/lanes`)).body.data;
  const lane = lanes.find((row: { kind: string }) => row.kind === kind);
  const moved = await project.admin.patch(`/api/projects/${project.id}/issues/${issueId}`, {
    lane_id: lane.id,
  });
  assert.equal(moved.status, 200, moved.text);
}

/** Promotes a report, and returns the id of the issue. */
export async function promote(admin: Client, path: string, reportId: number): Promise<number> {
  const body = { report_ids: [reportId], title: "Keep the cart", description: "Always" };
  const answer = await admin.post(`${path}/reports/promote`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body[0].promoted_issue_id;
}

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCookie, makePersonalToken } from "../../../../../test/support/make.ts";
import { callTool, REVISIONS } from "../../../../../test/support/mcp.ts";
import { openMcpProject } from "../../../../../test/support/mcp-project.ts";

const { t, base, project, key, path, elsewhere, agent, reader, connect, workspace } = await openMcpProject();
const { admin } = project;
const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));

const entries = async () =>
  (await browser.get(`/api/workspaces/${workspace.id}/audit-events?kind=mcp`)).body.data as {
    kind: string;
    actor: { id: number };
    subject: { type: string; id: number; name: string | null };
    details: Record<string, unknown>;
  }[];

for (const revision of REVISIONS)
  test(`each change by a client of revision ${revision} has one entry with its token and client`, async () => {
    const client = await connect(await makePersonalToken(t.db, workspace.admin.id), revision);
    const token = await t.db
      .selectFrom("personal_tokens")
      .select("id")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    const exception_class = `Audited${revision.replaceAll("-", "")}`;
    await project.send({ exception_class });
    const [group] = (await admin.get(`${project.groups}?query=${exception_class}`)).body.data;
    const report = async () =>
      (await admin.post(`${path}/reports`, { title: "R", description: "R" })).body.id as number;
    const before = (await entries()).length;
    const created = await callTool(client, "create_issue", { project: key, title: "Audited" });
    const issue = created.structured.key as string;
    await callTool(client, "update_issue", { issue, title: "Audited again" });
    await callTool(client, "comment", { issue, content: "Audited" });
    await callTool(client, "update_error_group", {
      error_group_id: group.id,
      status: "resolved",
      assignee: "me",
    });
    const promotion = { project: key, report_ids: [await report()], title: "P", description: "P" };
    await callTool(client, "promote_reports", promotion);
    await callTool(client, "dismiss_report", { report_id: await report(), category: "invalid" });
    const written = (await entries()).slice(0, -before || undefined).toReversed();
    assert.deepEqual(
      written.map(({ kind, subject }) => [kind, subject.type]),
      [
        ["mcp.create_issue", "issue"],
        ["mcp.update_issue", "issue"],
        ["mcp.comment", "comment"],
        ["mcp.update_error_group", "error_group"],
        ["mcp.promote_reports", "issue"],
        ["mcp.dismiss_report", "report"],
      ],
    );
    for (const { actor, details } of written) {
      assert.equal(actor.id, workspace.admin.id);
      assert.deepEqual([details["token_id"], details["token_name"]], [token.id, "test"]);
      if (revision === "2026-07-28") assert.equal(details["client"], "test-agent 1.2.3");
      assert.equal(details["project_key"], key);
    }
  });

test("calls that only read, and calls that are refused, have no entry", async () => {
  const before = (await entries()).length;
  const { key: foreign } = (
    await elsewhere.admin.post(`/api/projects/${elsewhere.id}/issues`, { title: "No" })
  ).body;
  await callTool(agent, "list_issues", { project: key });
  await callTool(agent, "create_issue", { project: key });
  await callTool(agent, "update_issue", { issue: foreign, title: "No" });
  await callTool(reader, "create_issue", { project: key, title: "No" });
  assert.equal((await entries()).length, before);
});

test("one call of several steps counts as one request of the rate limit", async () => {
  const token = await makePersonalToken(t.db, workspace.admin.id);
  const call = async () => {
    const answer = await fetch(`${base}/api/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "list_issues", arguments: { project: key } },
      }),
    });
    return Number(answer.headers.get("x-ratelimit-remaining"));
  };
  let [first, second] = [await call(), await call()];
  // A new minute began in between.
  while (second > first) [first, second] = [second, await call()];
  assert.equal(first - second, 1);
});

test("a change by a tool has the effects of its route: watchers are notified and webhooks get an event", async () => {
  const made = await admin.post(`${path}/webhooks`, {
    url: "https://example.com/hook",
    events: ["issue.created"],
  });
  assert.equal(made.status, 201, made.text);
  after(() => admin.delete(`${path}/webhooks/${made.body.id}`));
  const { structured } = await callTool(agent, "create_issue", { project: key, title: "With effects" });
  const { data } = (await admin.get(`${path}/webhooks/${made.body.id}/deliveries`)).body;
  assert.deepEqual(
    data.map(({ event }: { event: string }) => event),
    ["issue.created"],
  );
  const { body } = await admin.get(`${path}/issues/${structured.key}`);
  assert.equal(body.watching, true);
});

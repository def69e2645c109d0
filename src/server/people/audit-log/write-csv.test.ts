import assert from "node:assert/strict";
import { test } from "node:test";
import { makePersonalToken, makeWorkspace, makeWorkspaceMember } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { recordAudits } from "../../record/audit.ts";

const t = await useTestApp();

const open = async () => {
  const { id, admin } = await makeWorkspace(t.db);
  const client = t.http.as(await makePersonalToken(t.db, admin.id));
  return { id, client, url: `/api/workspaces/${id}/audit-events` };
};
const label = (workspace_id: number, id: number, name: string) =>
  ({ kind: "label.deleted", workspace_id, subject: { type: "label", id, name } }) as const;

test("CSV contains all entries that match the filters, and the download is recorded", async () => {
  const { id, client, url } = await open();
  await recordAudits(
    t.db,
    Array.from({ length: 1_001 }, (_, n) => label(id, n + 1, `Label, "${n + 1}"`)),
  );
  const answer = await client.get(`${url}?format=csv&kind=label&limit=2`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers["content-type"], "text/csv; charset=utf-8");
  assert.equal(answer.headers["content-disposition"], 'attachment; filename="audit-log.csv"');
  const [head, first, ...rest] = answer.text.split("\r\n");
  assert.equal(head?.split(",").length, 11);
  assert.match(first ?? "", /,"label\.deleted","","","label","1001","Label, ""1001""","\{\}","",""$/);
  assert.equal(rest.length, 1_001);
  assert.equal(rest.at(-1), "");
  const [event] = (await client.get(`${url}?kind=export`)).body.data;
  assert.deepEqual(event.details.of, "audit-events");
});

test("cells that a spreadsheet would run as formulas are text", async () => {
  const { id, client, url } = await open();
  const names = ["=1+1", "+x", "-x", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")', "1=1"];
  await recordAudits(
    t.db,
    names.map((name, n) => label(id, n + 1, name)),
  );
  const { text } = await client.get(`${url}?format=csv&kind=label`);
  for (const name of names) {
    const quoted = name.replaceAll('"', '""');
    assert.ok(text.includes(name === "1=1" ? `,"${quoted}",` : `,"'${quoted}",`), JSON.stringify(name));
  }
});

test("another format returns 422, and only administrators can download the log", async () => {
  const { id, client, url } = await open();
  const answer = await client.get(`${url}?format=xml`);
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["format"]]);
  const member = await makeWorkspaceMember(t.db, id);
  const theirs = t.http.as(await makePersonalToken(t.db, member.id));
  assert.equal((await theirs.get(`${url}?format=csv`)).status, 403);
  assert.deepEqual((await client.get(`${url}?kind=export`)).body.data, []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../../test/support/board.ts";
import { type Client, refusalOf } from "../../../../test/support/client.ts";
import { png } from "../../../../test/support/images.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Attachment } from "../../../shared/attachments.ts";
import { deleteOldDraftFiles } from "../../attachments/draft-files.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const board = await openBoard(t, workspace);
  const member = t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, board.id)).id));
  const add = async (client: Client = board.admin): Promise<Attachment> => {
    const file = { name: "file", filename: "plan.png", content: await png(20, 10) };
    const { status, body, text } = await upload(client, `${board.url}/attachments`, [file]);
    assert.equal(status, 201, text);
    return body;
  };
  const addressOf = ({ id }: { id: number }, ref: string | number = board.id) =>
    `/api/projects/${ref}/attachments/${id}/download`;
  return { ...board, member, add, addressOf };
}

test("a file of a draft is read by its author only, and the created issue takes it over", async () => {
  const { admin, member, make, read, issues, id, key, add, addressOf } = await open();
  const [one, two, other] = [await add(), await add(), await add()];
  assert.equal((await admin.get(addressOf(one))).status, 200);
  assert.equal((await member.get(addressOf(one))).status, 404);
  const issue = await make({ description: `![Plan](${addressOf(one)})\n![Plan](${addressOf(two, key)})` });
  const at = (file: { id: number }) =>
    `/api/projects/${id}/issues/${issue.id}/attachments/${file.id}/download`;
  assert.deepEqual(
    [issue.description, issue.attachments],
    [`![Plan](${at(one)})\n![Plan](${at(two)})`, [one, two]],
  );
  assert.deepEqual(await read(issue.id), issue);
  assert.equal((await member.get(at(one))).status, 200);
  assert.equal((await admin.get(addressOf(one))).status, 404);
  assert.equal((await admin.get(`${issues}/${issue.id}/attachments/${other.id}/download`)).status, 404);
  const again = await make({ description: addressOf(one) });
  assert.deepEqual([again.description, again.attachments], [addressOf(one), []]);
});

test("a description that the addresses of its files would make too long returns 422, and its files stay", async () => {
  const { admin, issues, add, addressOf } = await open();
  const file = await add();
  const description = addressOf(file).padEnd(65_535, "x");
  const answer = await admin.post(issues, { title: "Plan", description });
  assert.deepEqual(refusalOf(answer), [422, "description"]);
  assert.equal((await admin.get(addressOf(file))).status, 200);
});

test("files of other people and of other projects are not taken over", async () => {
  const [here, elsewhere] = [await open(), await open()];
  const [theirs, far] = [await here.add(here.member), await elsewhere.add()];
  const description = `${here.addressOf(theirs)} ${here.addressOf(far)} ${elsewhere.addressOf(far)}`;
  const issue = await here.make({ description });
  assert.deepEqual([issue.description, issue.attachments], [description, []]);
  assert.equal((await here.member.get(here.addressOf(theirs))).status, 200);
});

test("an issue to which a report is promoted takes the files of its description over", async () => {
  const { admin, url, add, addressOf, id } = await open();
  const file = await add();
  const report = await admin.post(`${url}/reports`, { title: "Slow", description: "Very" });
  const promoted = await admin.post(`${url}/reports/promote`, {
    report_ids: [report.body.id],
    title: "Slow",
    description: `Very ![](${addressOf(file)})`,
  });
  const issueId: number = promoted.body[0].promoted_issue_id;
  const { attachments, description } = (await admin.get(`${url}/issues/${issueId}`)).body;
  assert.deepEqual(attachments, [file]);
  assert.equal(
    description,
    `Very ![](/api/projects/${id}/issues/${issueId}/attachments/${file.id}/download)`,
  );
});

test("a file that no issue has taken over is deleted after 30 days", async () => {
  const { admin, make, add, addressOf } = await open();
  const [fresh, old, taken] = [await add(), await add(), await add()];
  const issue = await make({ description: addressOf(taken) });
  await sql`update attachments set created_at = now() - interval '31 days'
    where id = any(${[old.id, taken.id]}::bigint[])`.execute(t.db);
  assert.equal(await deleteOldDraftFiles(t.db), 1);
  assert.equal((await admin.get(addressOf(old))).status, 404);
  assert.equal((await admin.get(addressOf(fresh))).status, 200);
  assert.equal(issue.attachments.length, 1);
  const { rows } = await sql`select from file_deletions`.execute(t.db);
  assert.equal(rows.length, 1);
});

test("files of drafts count toward the storage of the project and are deleted with it", async () => {
  const { admin, url, id, add } = await open();
  const { size } = await add();
  assert.equal((await admin.get(`${url}/storage`)).body.bytes, size);
  await sql`delete from projects where id = ${id}`.execute(t.db);
  const { rows } = await sql`select from attachments where project_id = ${id}`.execute(t.db);
  assert.equal(rows.length, 0);
});

test("adding a file requires the permission to create issues", async () => {
  const { id, url } = await open();
  const viewer = t.http.as(
    await makePersonalToken(t.db, (await makeMember(t.db, id, { role: "Viewer" })).id),
  );
  const file = { name: "file", filename: "a.txt", content: "x" };
  assert.equal((await upload(viewer, `${url}/attachments`, [file])).status, 403);
});

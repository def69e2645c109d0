import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard, type Board } from "../../../../test/support/board.ts";
import { collide } from "../../../../test/support/collide.ts";
import { openDiscussion } from "../../../../test/support/comments.ts";
import { rowKeys, storedKeys } from "../../../../test/support/files.ts";
import { png } from "../../../../test/support/images.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Client } from "../../../../test/support/client.ts";
import type { Attachment } from "../../../shared/attachments.ts";
import { MAX_ATTACHMENT_BYTES } from "../../../shared/attachments.ts";

const KB = 1024;
const t = await useTestApp({ PROJECT_STORAGE_MB: "1" });
const workspace = await makeWorkspace(t.db);
const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

const PLACES = ["issue", "epic", "comment on an issue", "comment on an epic"] as const;

/** Something new that can have attachments. */
type Thing = {
  /** Its path, without `/attachments`. */
  url: string;
  /** The path of the issue or epic. */
  target: string;
  /** The attachments in its own response. */
  shown(): Promise<Attachment[]>;
};

async function makeThing(board: Board, place: (typeof PLACES)[number]): Promise<Thing> {
  const on = place.endsWith("issue") ? "issues" : "epics";
  const discussion = await openDiscussion(board, on);
  const target = `${board.url}/${on}/${discussion.id}`;
  if (!place.startsWith("comment"))
    return { url: target, target, shown: async () => (await board.admin.get(target)).body.attachments };
  const comment = await discussion.make();
  return {
    url: discussion.of(comment),
    target,
    shown: async () => (await discussion.list()).data[0]?.attachments ?? [],
  };
}

const textFile = (filename = "notes.txt", content = "What happened") => [{ name: "file", filename, content }];

async function attach(client: Client, url: string, file = textFile()): Promise<Attachment> {
  const { status, body, text } = await upload(client, `${url}/attachments`, file);
  assert.equal(status, 201, text);
  return body;
}

for (const place of PLACES) {
  test(`an attachment of a new ${place} is listed, shown with it, downloaded and deleted`, async () => {
    const board = await openBoard(t, workspace);
    const { url, shown } = await makeThing(board, place);
    assert.deepEqual(await shown(), []);
    const note = await attach(board.admin, url);
    const image = await upload(board.admin, `${url}/attachments`, [
      { name: "file", filename: "cart.png", content: await png() },
    ]);
    assert.deepEqual([image.status, image.body.filename], [201, "cart.webp"]);
    assert.deepEqual((await board.admin.get(`${url}/attachments`)).body, [note, image.body]);
    assert.deepEqual(await shown(), [note, image.body]);
    const download = await board.admin.get(`${url}/attachments/${note.id}/download`);
    assert.deepEqual([download.status, download.text], [200, "What happened"]);
    assert.match(String(download.headers["content-disposition"]), /^attachment; filename="?notes\.txt"?$/);
    assert.match(String(download.headers["content-security-policy"]), /^sandbox;/);
    assert.equal((await board.admin.delete(`${url}/attachments/${note.id}`)).status, 204);
    assert.deepEqual(await shown(), [image.body]);
    assert.equal((await board.admin.get(`${url}/attachments/${note.id}/download`)).status, 404);
    assert.deepEqual(await storedKeys(t), await rowKeys(t));
  });

  test(`the attachments of a ${place} are deleted with it, and their files and the project's sum with them`, async () => {
    const board = await openBoard(t, workspace);
    const { url, target } = await makeThing(board, place);
    const storage = async () => (await board.admin.get(`${board.url}/storage`)).body.bytes;
    await attach(board.admin, url, textFile("a.txt", "x".repeat(KB)));
    await attach(board.admin, target, textFile("b.txt", "x".repeat(KB)));
    assert.equal(await storage(), 2 * KB);
    assert.equal((await board.admin.delete(url)).status, 204);
    assert.equal(await storage(), url === target ? 0 : KB);
    assert.equal((await board.admin.delete(target)).status, url === target ? 404 : 204);
    assert.equal(await storage(), 0);
    assert.deepEqual(await storedKeys(t), await rowKeys(t));
  });

  test(`a ${place} refuses files by the same rules as a report`, async () => {
    const board = await openBoard(t, workspace);
    const { url, shown } = await makeThing(board, place);
    const cases: [string, Buffer | string][] = [
      ["program.exe", "MZ"],
      ["fake.png", "not an image"],
      ["large.txt", Buffer.alloc(MAX_ATTACHMENT_BYTES + 1)],
      ["beyond-quota.txt", "x".repeat(1_100 * KB)],
    ];
    for (const [filename, content] of cases) {
      const answer = await upload(board.admin, `${url}/attachments`, [{ name: "file", filename, content }]);
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["file"]], filename);
    }
    assert.deepEqual(await shown(), []);
    assert.deepEqual(await storedKeys(t), await rowKeys(t));
  });

  test(`adding to a ${place} requires permission to read and attachments:create; only the author, or attachments:delete, may delete`, async () => {
    const board = await openBoard(t, workspace);
    const { url } = await makeThing(board, place);
    const kind = place.endsWith("issue") ? "issue" : "epic";
    const member = async (permissions: string[]) =>
      as(await makeMember(t.db, board.id, { role: { permissions } }));
    const adding = ["attachments:create", `${kind}s:update`];
    const author = await member([`${kind}s:read`, ...adding]);
    const own = await attach(author, url);
    const of = ({ id }: Attachment) => `${url}/attachments/${id}`;
    for (const [who, permissions] of Object.entries({
      "a reader": [`${kind}s:read`, `${kind}s:update`],
      "someone who cannot read": ["attachments:create", "attachments:delete", `${kind}s:update`],
    })) {
      const client = await member(permissions);
      assert.equal((await upload(client, `${url}/attachments`, textFile())).status, 403, who);
      assert.equal((await client.delete(of(own))).status, 403, who);
    }
    const other = await member([`${kind}s:read`, ...adding]);
    assert.equal((await other.delete(of(own))).status, 403, "another author");
    const foreign = await attach(other, url);
    const cleaner = await member([`${kind}s:read`, "attachments:delete"]);
    assert.equal((await cleaner.delete(of(foreign))).status, 204);
    assert.equal((await author.delete(of(own))).status, 204);
    const audited = await t.db
      .selectFrom("audit_events")
      .select("subject_id")
      .where("kind", "=", "attachment.deleted")
      .where("subject_id", "in", [own.id, foreign.id])
      .execute();
    assert.deepEqual(audited, [{ subject_id: foreign.id }], "authors may delete their own without an entry");
  });
}

test("files are added to a comment by its author or by those who may change the issue, and by nobody else", async () => {
  const board = await openBoard(t, workspace);
  const discussion = await openDiscussion(board, "issues");
  const permissions = ["issues:read", "comments:create", "attachments:create"];
  const [author, other] = await Promise.all(
    [0, 1].map(async () => as(await makeMember(t.db, board.id, { role: { permissions } }))),
  );
  const comment = await discussion.make({}, author);
  await attach(author as Client, discussion.of(comment));
  await attach(board.admin, discussion.of(comment));
  const refused = await upload(other as Client, `${discussion.of(comment)}/attachments`, textFile());
  assert.equal(refused.status, 403);
});

test("files that were added to the issue while writing become part of the comment and keep their address", async () => {
  const board = await openBoard(t, workspace);
  const discussion = await openDiscussion(board, "issues");
  const issue = `${board.issues}/${discussion.id}`;
  const [one, two] = [await attach(board.admin, issue), await attach(board.admin, issue)];
  const comment = await discussion.make({ attachment_ids: [two.id] });
  assert.deepEqual(comment.attachments, [two]);
  assert.deepEqual((await board.read(discussion.id)).attachments, [one]);
  assert.equal((await board.admin.get(`${issue}/attachments/${two.id}/download`)).status, 200);
  assert.equal((await board.admin.delete(discussion.of(comment))).status, 204);
  assert.equal((await board.admin.get(`${issue}/attachments/${two.id}/download`)).status, 404);
});

test("a comment takes only free files that its author has added to the same issue", async () => {
  const board = await openBoard(t, workspace);
  const [here, there] = [await openDiscussion(board, "issues"), await openDiscussion(board, "issues")];
  const issue = `${board.issues}/${here.id}`;
  const elsewhere = await attach(board.admin, `${board.issues}/${there.id}`);
  const foreign = await attach(await as(await makeMember(t.db, board.id)), issue);
  const taken = await attach(board.admin, issue);
  await here.make({ attachment_ids: [taken.id] });
  const free = await attach(board.admin, issue);
  for (const { id } of [elsewhere, foreign, taken]) {
    const answer = await board.admin.post(here.url, { content: "x", attachment_ids: [free.id, id] });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["attachment_ids.1"]]);
  }
  assert.equal((await here.list()).meta.count, 1);
});

test("added and deleted attachments are in the issue's history and change updated_at of the issue or epic", async () => {
  const board = await openBoard(t, workspace);
  const issue = await board.make();
  const url = `${board.issues}/${issue.id}`;
  const { id } = await attach(board.admin, url);
  const after = await board.read(issue.id);
  assert.ok(after.updated_at > issue.updated_at);
  assert.equal((await board.admin.delete(`${url}/attachments/${id}`)).status, 204);
  const history = (await board.admin.get(`${url}/activity`)).body.data;
  assert.deepEqual(
    history.slice(1).map(({ kind, from, to }: Record<string, unknown>) => [kind, from, to]),
    [
      ["attachments", null, "notes.txt"],
      ["attachments", "notes.txt", null],
    ],
  );
  const epic = `${board.url}/epics/${await board.epic()}`;
  const before = (await board.admin.get(epic)).body;
  await attach(board.admin, epic);
  assert.ok((await board.admin.get(epic)).body.updated_at > before.updated_at);
});

test("an attachment is found only at the path of its own issue", async () => {
  const board = await openBoard(t, workspace);
  const [one, two] = [await board.make(), await board.make()];
  const { id } = await attach(board.admin, `${board.issues}/${one.id}`);
  const other = `${board.issues}/${two.id}/attachments/${id}`;
  assert.equal((await board.admin.get(`${other}/download`)).status, 404);
  assert.equal((await board.admin.delete(other)).status, 404);
  const { body } = await board.admin.get(`${board.issues}/${one.key}/attachments`);
  assert.equal(body.length, 1, "the issue's key works as well as its id");
});

test("if the issue is deleted during an upload, neither a row nor a file is left", async () => {
  const board = await openBoard(t, workspace);
  const issue = await board.make();
  const answers = await collide(
    t.database,
    `select from issues where id = ${issue.id} for update`,
    async (waiting) => {
      const deletion = board.admin.delete(`${board.issues}/${issue.id}`);
      await waiting(1);
      const uploading = upload(board.admin, `${board.issues}/${issue.id}/attachments`, textFile());
      await waiting(2);
      return [deletion, uploading];
    },
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 404],
  );
  assert.deepEqual(await storedKeys(t), await rowKeys(t));
});

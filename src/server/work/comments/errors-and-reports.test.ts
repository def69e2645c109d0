import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../../../../test/support/error-events.ts";
import { openBoard } from "../../../../test/support/board.ts";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { inboxOf, mailsTo } from "../../../../test/support/inbox.ts";
import { png } from "../../../../test/support/images.ts";
import { upload } from "../../../../test/support/multipart.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Comment } from "../../../shared/comments.ts";
import type { Notification } from "../../../shared/notifications.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);
const { admin } = board;

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const member = (permissions: string[]) => makeMember(t.db, board.id, { role: { permissions } });

let count = 0;

/** A new error group or report, and the URL of the comments on it. */
async function open(on: "error_groups" | "reports"): Promise<{ id: number; url: string; thing: string }> {
  const path = on === "reports" ? "reports" : "error-groups";
  let id: number;
  if (on === "reports")
    id = (await admin.post(`${board.url}/reports`, { title: `Broken ${++count}`, description: "D" })).body.id;
  else {
    const event = anEvent({ stack_trace: `#0 /srv/app/src/Place${++count}x.php(12): run()` });
    assert.equal((await admin.post(`${board.url}/error-events`, event)).status, 202);
    id = (await admin.get(`${board.url}/error-groups`)).body.data[0].id;
  }
  const thing = `${board.url}/${path}/${id}`;
  return { id, thing, url: `${thing}/comments` };
}

async function write(url: string, fields: object = {}, by: Client = admin): Promise<Comment> {
  const answer = await by.post(url, { content: `Comment ${++count}`, ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function allOf(user: { id: number }): Promise<Notification[]> {
  return (await (await as(user)).get("/api/notifications?include=all")).body;
}

for (const on of ["error_groups", "reports"] as const) {
  const kind = on === "reports" ? "reports" : "error-groups";

  test(`comments on ${on} form threads, and are liked, pinned, changed and deleted`, async () => {
    const { id, url } = await open(on);
    const root = await write(url);
    const reply = await write(url, { parent_id: root.id });
    assert.deepEqual([root.commentable_type, root.commentable_id, reply.parent_id], [on, id, root.id]);
    assert.equal((await admin.post(url, { content: "x", parent_id: reply.id })).status, 422);
    const elsewhere = await write((await open(on)).url);
    assert.equal((await admin.post(url, { content: "x", parent_id: elsewhere.id })).status, 422);
    const pinned = await write(url);
    assert.equal((await admin.post(`${url}/${pinned.id}/pin`)).body.is_pinned, true);
    assert.deepEqual((await admin.post(`${url}/${root.id}/like`)).body.liker_ids, [board.adminId]);
    assert.equal((await admin.put(`${url}/${reply.id}`, { content: "Better" })).body.content, "Better");
    const { data, meta } = (await admin.get(url)).body;
    assert.deepEqual(
      data.map((comment: Comment) => comment.id),
      [pinned.id, root.id, reply.id],
    );
    assert.equal(meta.count, 3);
    assert.equal((await admin.delete(`${url}/${root.id}`)).status, 204);
    assert.equal((await admin.get(url)).body.meta.count, 1);
    assert.equal((await admin.get(`${board.url}/${kind}/999999/comments`)).status, 404);
  });

  test(`each permission allows exactly its own requests on comments on ${on}`, async () => {
    const cases: [string[], number[]][] = [
      [[], [403, 403, 403, 403, 403]],
      [
        ["issues:read", "issues:update", "comments:create"],
        [403, 403, 403, 403, 403],
      ],
      [["comments:create"], [403, 403, 403, 403, 403]],
      [[`${kind}:read`], [200, 403, 200, 403, 403]],
      [
        [`${kind}:read`, "comments:create"],
        [200, 201, 200, 403, 403],
      ],
      [[`${kind}:update`], [403, 403, 403, 200, 204]],
    ];
    for (const [permissions, expected] of cases) {
      const client = await as(await member(permissions));
      const { url } = await open(on);
      const other = await write(url);
      const answers = [
        await client.get(url),
        await client.post(url, { content: "x" }),
        await client.post(`${url}/${other.id}/like`),
        await client.post(`${url}/${other.id}/pin`),
        await client.delete(`${url}/${other.id}`),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        expected,
        permissions.join(" "),
      );
    }
  });

  test(`project tokens neither read nor find comments on ${on}`, async () => {
    const { url } = await open(on);
    const { content } = await write(url, { content: `zebra${++count}` });
    const token = t.http.as(await makeProjectToken(t.db, board.id, board.adminId, { access: "read_write" }));
    assert.equal((await token.get(url)).status, 403);
    assert.equal((await token.post(url, { content: "x" })).status, 403);
    const found = async (client: Client) =>
      (await client.get(`/api/search?query=${content}`)).body.data?.length;
    assert.equal(await found(admin), 1);
    assert.notEqual(await found(token), 1);
  });

  test(`only people who may read ${on} find the comments on them`, async () => {
    const { id, url } = await open(on);
    const word = `quagga${++count}`;
    const comment = await write(url, { content: `Look at the ${word}` });
    const search = async (user: { id: number }) =>
      (await (await as(user)).get(`/api/search?query=${word}`)).body.data;
    const [hit] = await search(await member([`${kind}:read`]));
    const field = on === "reports" ? "report_id" : "error_group_id";
    assert.deepEqual([hit.kind, hit.id, hit[field], hit.issue_id], ["comment", comment.id, id, null]);
    assert.deepEqual(await search(await member(["issues:read", "epics:read"])), []);
    const closed = (await admin.get(`/api/search?query=${word}&state=closed`)).body.data;
    assert.deepEqual(closed, []);
  });

  test(`a comment on ${on} is announced with what it is on`, async () => {
    const { id, url } = await open(on);
    const comment = await write(url);
    const change = await t.db
      .selectFrom("changes")
      .select(["kind", "commentable_type", "commentable_id"])
      .where("target_id", "=", comment.id)
      .where("kind", "=", "comment")
      .executeTakeFirstOrThrow();
    assert.deepEqual(change, { kind: "comment", commentable_type: on, commentable_id: id });
  });

  test(`a mention on ${on} notifies with a type that is listed only on request`, async () => {
    const { id, url } = await open(on);
    const ada = await member([`${kind}:read`, "notifications:update"]);
    const reporter = await member(["issues:read"]);
    const comment = await write(url, { content: `@${ada.username} @${reporter.username} please look` });
    const [entry, ...more] = await allOf(ada);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [entry?.type, entry?.comment_id, entry?.notifiable.type, entry?.notifiable.id],
      [12, comment.id, on.slice(0, -1), id],
    );
    assert.match(String(entry?.excerpt), /please look/);
    assert.deepEqual(await inboxOf(t, ada), [], "not without include=all");
    assert.deepEqual((await (await as(ada)).get("/api/notifications/unread-count")).body, { count: 0 });
    const counted = (await (await as(ada)).get("/api/notifications/unread-count?include=all")).body;
    assert.deepEqual(counted, { count: 1 });
    assert.deepEqual(
      (await mailsTo(t.db, ada)).map((mail) => mail.preference),
      ["notify_mentions"],
    );
    assert.deepEqual(await allOf(reporter), []);
    assert.deepEqual(await mailsTo(t.db, reporter), []);
    const read = await (
      await as(ada)
    ).post("/api/notifications/bulk-read", { notification_ids: [entry?.id] });
    assert.equal(read.status, 204);
  });

  test(`an entry about a comment on ${on} is hidden from people who may no longer read it`, async () => {
    const { url, thing } = await open(on);
    const ada = await member([`${kind}:read`]);
    await write(url, { content: `@${ada.username}` });
    const [entry] = await allOf(ada);
    assert.ok(entry);
    const role = await t.db
      .selectFrom("project_members")
      .select("role_id")
      .where("user_id", "=", ada.id)
      .executeTakeFirstOrThrow();
    await t.db
      .updateTable("roles")
      .set({ permissions: ["issues:read"] })
      .where("id", "=", role.role_id)
      .execute();
    assert.deepEqual(await allOf(ada), []);
    if (on === "reports") assert.equal((await admin.delete(thing)).status, 204);
  });

  test(`a file added to ${on} becomes an attachment of the comment`, async () => {
    const { url, thing } = await open(on);
    const file = { name: "file", filename: "notes.txt", content: "Notes" };
    const added = await upload(admin, `${thing}/attachments`, [file]);
    assert.equal(added.status, 201, added.text);
    const comment = await write(url, { attachment_ids: [added.body.id] });
    assert.deepEqual(
      comment.attachments.map(({ id }) => id),
      [added.body.id],
    );
    assert.deepEqual((await admin.get(`${thing}/attachments`)).body, []);
    if (on === "reports") {
      assert.equal((await admin.get(thing)).body.attachments_count, 0);
      const token = t.http.as(await makeProjectToken(t.db, board.id, board.adminId, { access: "read" }));
      const path = `${thing}/attachments/${added.body.id}/download`;
      assert.deepEqual([(await admin.get(path)).status, (await token.get(path)).status], [200, 404]);
    }
    const own = await upload(admin, `${url}/${comment.id}/attachments`, [file]);
    assert.equal(own.status, 201, own.text);
    assert.equal((await admin.get(`${url}/${comment.id}/attachments`)).body.length, 2);
  });
}

test("the author of a comment on an error group starts watching it, and watchers are notified of further comments", async () => {
  const { url, thing } = await open("error_groups");
  const [ada, ben] = [await makeMember(t.db, board.id), await makeMember(t.db, board.id)];
  await write(url, {}, await as(ada));
  assert.deepEqual((await (await as(ada)).get(`${thing}/watch`)).body, { watching: true });
  await write(url, {}, await as(ben));
  assert.deepEqual(
    (await allOf(ada)).map(({ type, message }) => [type, message.replace(/^.* commented/, "commented")]),
    [[12, "commented on the error RuntimeException"]],
  );
  assert.deepEqual(
    (await mailsTo(t.db, ada)).map((mail) => mail.preference),
    ["notify_watched_activity_email"],
  );
});

test("a report's creator is notified of comments on it", async () => {
  const ada = await makeMember(t.db, board.id);
  const client = await as(ada);
  const { id } = (await client.post(`${board.url}/reports`, { title: "T", description: "D" })).body;
  await write(`${board.url}/reports/${id}/comments`);
  assert.deepEqual(
    (await allOf(ada)).map(({ type }) => type),
    [12],
  );
});

test("deleting someone else's comment on an error group is recorded in the audit log", async () => {
  const { id, url } = await open("error_groups");
  const ada = await makeMember(t.db, board.id);
  const comment = await write(url, {}, await as(ada));
  await admin.delete(`${url}/${comment.id}`);
  const event = await t.db
    .selectFrom("audit_events")
    .select("details")
    .where("kind", "=", "comment.deleted")
    .where("subject_id", "=", comment.id)
    .executeTakeFirstOrThrow();
  const details = event.details as Record<string, unknown>;
  assert.deepEqual([details["author_id"], details["error_group_id"]], [ada.id, id]);
});

test("events are stored while someone pins a comment on their group", async () => {
  const { id, url } = await open("error_groups");
  const comment = await write(url);
  const place = `#0 /srv/app/src/Place${count - 1}x.php(12): run()`;
  // The pin waits for the comment while it holds its other locks.
  const lock = `select from comments where id = ${comment.id} for update`;
  await collide(t.database, lock, async (waiting) => {
    const pinned = admin.post(`${url}/${comment.id}/pin`);
    await waiting(1);
    const sent = await admin.post(`${board.url}/error-events`, anEvent({ stack_trace: place }));
    assert.equal(sent.status, 202);
    return [pinned.then(({ status }) => assert.equal(status, 200))];
  });
  const group = (await admin.get(`${board.url}/error-groups/${id}`)).body;
  assert.equal(group.occurrence_count, 2);
});

test("a workspace without error tracking has no comments on error groups", async () => {
  const other = await makeWorkspace(t.db, { features: { reports: false, error_tracking: false } });
  const without = await openBoard(t, other);
  for (const path of ["error-groups/1", "reports/1"])
    for (const answer of [
      await without.admin.get(`${without.url}/${path}/comments`),
      await without.admin.post(`${without.url}/${path}/comments`, { content: "x" }),
    ])
      assert.equal(answer.status, 403);
});

test("who may not read reports cannot download the files of comments on their own report", async () => {
  const creator = await as(await member(["reports:create", "attachments:create"]));
  const report = (await creator.post(`${board.url}/reports`, { title: "Broken", description: "D" })).body.id;
  const thing = `${board.url}/reports/${report}`;
  const comment = await write(`${thing}/comments`);
  const addTo = async (url: string, by: Client) => {
    const added = await upload(by, `${url}/attachments`, [
      { name: "file", filename: "a.png", content: await png() },
    ]);
    assert.equal(added.status, 201, added.text);
    return added.body.id as number;
  };
  const own = await addTo(thing, creator);
  const internal = await addTo(`${thing}/comments/${comment.id}`, admin);
  for (const query of ["", "?size=thumbnail"]) {
    const urlOf = (id: number) => `${thing}/attachments/${id}/download${query}`;
    assert.equal((await creator.get(urlOf(own))).status, 200);
    assert.equal((await creator.get(urlOf(internal))).status, 404);
    assert.equal((await admin.get(urlOf(internal))).status, 200);
  }
});

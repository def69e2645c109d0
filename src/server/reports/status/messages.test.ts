import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { fieldsOf } from "../../../../test/support/client.ts";
import { furtherMessagesTo } from "../../../../test/support/inbox.ts";
import { makeMember, makePersonalToken } from "../../../../test/support/make.ts";
import { openOutsideReports, type OutsideReport } from "../../../../test/support/outside-reports.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const p = await openOutsideReports(t);

const say = async ({ api }: OutsideReport, content = "It happens again") => {
  const answer = await t.http.post(`${api}/messages`, { content });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};

async function reply({ path }: OutsideReport, fields: object = {}, by = p.admin) {
  const answer = await by.post(`${path}/comments`, { content: "We are on it", is_public: true, ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

test("a message of the author is a public comment without a user, and is on the page", async () => {
  const one = await p.send();
  const message = await say(one);
  assert.deepEqual((await p.status(one)).messages, [message]);
  assert.deepEqual([message.from, message.name], ["reporter", "Kim Berg"]);
  const { data } = (await p.admin.get(`${one.path}/comments`)).body;
  const [{ id, user_id, author_name, is_public, content }] = data;
  assert.deepEqual(
    { id, user_id, author_name, is_public, content },
    { id: message.id, user_id: null, author_name: "Kim Berg", is_public: true, content: "It happens again" },
  );
});

test("erasing the author of a report erases the name on the messages, too", async () => {
  const one = await p.send();
  await say(one);
  assert.equal((await p.admin.delete(`${one.path}/author`)).status, 204);
  await say(one);
  const names = (await p.status(one)).messages.map(({ name }) => name);
  assert.deepEqual(names, [null, null]);
});

test("a message can be written in every state, and needs a text", async () => {
  const one = await p.send({ author_name: "" });
  assert.equal((await p.admin.post(`${one.path}/dismiss`, { category: "invalid" })).status, 200);
  assert.equal((await say(one)).name, null);
  for (const body of [{}, { content: " " }, { content: "x".repeat(10_001) }])
    assert.deepEqual(fieldsOf(await t.http.post(`${one.api}/messages`, body)), ["content"]);
});

test("only public comments are on the page, under the first name, with later edits and deletions", async () => {
  const one = await p.send();
  await p.admin.post(`${one.path}/comments`, { content: "Internal" });
  const answered = await reply(one);
  const [message, ...more] = (await p.status(one)).messages;
  assert.deepEqual(more, []);
  assert.deepEqual([message?.from, message?.name, message?.content], ["team", "Ada", "We are on it"]);
  const comment = `${one.path}/comments/${answered.id}`;
  assert.equal((await p.admin.put(comment, { content: "We fixed it" })).status, 200);
  assert.equal((await p.status(one)).messages[0]?.content, "We fixed it");
  assert.equal((await p.admin.delete(comment)).status, 204);
  assert.deepEqual((await p.status(one)).messages, []);
});

test("a message notifies those who commented on the report, otherwise its watchers", async () => {
  const one = await p.send();
  const watcher = await makeMember(t.db, p.id, { role: "Member" });
  const watching = t.http.as(await makePersonalToken(t.db, watcher.id));
  assert.equal((await watching.post(`/api/projects/${p.id}/reports/watch`)).status, 200);
  await say(one);
  assert.deepEqual(await furtherMessagesTo(t, watcher), [
    [12, "Kim Berg wrote to you about the report “The cart is empty”"],
  ]);
  const { user, client } = await p.member("Manager");
  await reply(one, {}, client);
  await say(one);
  assert.equal((await furtherMessagesTo(t, user)).length, 1);
  const about = (await furtherMessagesTo(t, watcher)).filter(([, text]) => text.includes("wrote to you"));
  assert.equal(about.length, 1, "the watcher was told of the first message only");
});

test("a message mentions nobody, neither when it is written nor when it is edited", async () => {
  const one = await p.send();
  const { user } = await p.member("Member");
  const message = await say(one, `@${user.username}, please help`);
  const content = `@${user.username}, please help me`;
  const comment = `${one.path}/comments/${message.id}`;
  assert.equal((await p.admin.put(comment, { content })).status, 200);
  assert.deepEqual(await furtherMessagesTo(t, user), []);
});

test("eleven messages in a minute are too many", async () => {
  const one = await p.send();
  const send = () => t.http.post(`${one.api}/messages`, { content: "Hello" });
  const answers = await Promise.all(Array.from({ length: 11 }, send));
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 201), 429]);
});

test("a message from another site's page is rejected", async () => {
  const one = await p.send();
  const answer = await t.http.send({
    method: "POST",
    url: `${one.api}/messages`,
    headers: { "content-type": "application/json", "sec-fetch-site": "cross-site" },
    payload: JSON.stringify({ content: "Hello" }),
  });
  assert.equal(answer.status, 403);
});

test("whether a comment is public is decided when it is created", async () => {
  const one = await p.send();
  const comment = `${one.path}/comments/${(await reply(one)).id}`;
  for (const is_public of [true, false])
    assert.deepEqual(fieldsOf(await p.admin.put(comment, { content: "New", is_public })), ["is_public"]);
});

test("a public reply needs a public parent, an internal one does not", async () => {
  const one = await p.send();
  const internal = await reply(one, { is_public: false });
  const refused = await p.admin.post(`${one.path}/comments`, {
    content: "Public",
    is_public: true,
    parent_id: internal.id,
  });
  assert.deepEqual([refused.status, fieldsOf(refused)], [422, ["parent_id"]]);
  const message = await say(one);
  await reply(one, { parent_id: message.id });
  assert.equal((await reply(one, { parent_id: message.id, is_public: false })).is_public, false);
});

test("a public comment needs Reports: Update besides Comments: Create", async () => {
  const one = await p.send();
  const permissions = ["project:read", "reports:read", "comments:create"];
  const { client } = await p.member({ permissions });
  const body = { content: "Hello", is_public: true };
  assert.equal((await client.post(`${one.path}/comments`, body)).status, 403);
  assert.equal((await client.post(`${one.path}/comments`, { ...body, is_public: false })).status, 201);
  const { client: updater } = await p.member({ permissions: [...permissions, "reports:update"] });
  assert.equal((await updater.post(`${one.path}/comments`, body)).status, 201);
});

test("a comment on an issue cannot be public", async () => {
  const issue = await p.promote((await p.send()).report);
  const url = `/api/projects/${p.id}/issues/${issue}/comments`;
  const answer = await p.admin.post(url, { content: "Hello", is_public: true });
  assert.deepEqual([answer.status, fieldsOf(answer)], [422, ["is_public"]]);
  assert.equal((await p.admin.post(url, { content: "Hello" })).body.is_public, false);
});

test("an administrator deletes a message of the author, which the audit log records", async () => {
  const one = await p.send();
  const message = await say(one);
  assert.equal((await p.admin.delete(`${one.path}/comments/${message.id}`)).status, 204);
  const { rows } = await sql<{ details: Record<string, unknown> }>`
    select details from audit_events where kind = 'comment.deleted' and subject_id = ${message.id}`.execute(
    t.db,
  );
  assert.equal(rows[0]?.details["author_id"], null);
});

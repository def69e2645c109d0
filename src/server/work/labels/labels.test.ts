import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { refusalOf } from "../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = async () => {
  const board = await openBoard(t, workspace);
  return { ...board, labels: `${board.url}/labels` };
};

test("labels can be created, listed by page and updated", async () => {
  const board = await open();
  const made = await board.admin.post(board.labels, { name: "Bug hunt", color: "#FF00aa" });
  assert.equal(made.status, 201);
  const { id, created_at, ...rest } = made.body;
  assert.equal(typeof created_at, "string");
  assert.deepEqual(rest, { project_id: board.id, name: "Bug hunt", color: "#ff00aa" });
  const second = await board.label();
  const first = await board.admin.get(`${board.labels}?limit=1`);
  assert.deepEqual(first.body.data, [made.body]);
  const next = await board.admin.get(`${board.labels}?limit=1&cursor=${first.body.meta.next_cursor}`);
  assert.equal(next.body.data[0].id, second);
  const url = `${board.labels}/${id}`;
  assert.deepEqual((await board.admin.patch(url, { name: null, color: null })).body, made.body);
  const changed = await board.admin.patch(url, { name: "bug hunt", color: "#000000" });
  assert.deepEqual(changed.body, { ...made.body, name: "bug hunt", color: "#000000" });
});

test("a name is unique within a project, ignoring case, but not across projects", async () => {
  const [board, other] = [await open(), await open()];
  await board.label("Café");
  const plain = await board.label("Plain");
  const again = await board.admin.post(board.labels, { name: "CAFÉ", color: "#000000" });
  assert.deepEqual(again.body.errors, { name: ["is taken"] });
  const patched = await board.admin.patch(`${board.labels}/${plain}`, { name: "café", color: "#000000" });
  assert.deepEqual(refusalOf(patched), [422, "name"]);
  assert.equal((await board.admin.get(board.labels)).body.data[1].color, "#1f6feb");
  await other.label("Café");
});

test("names that differ only in composed and decomposed letters count as equal", async () => {
  const board = await open();
  const made = await board.admin.post(board.labels, { name: "bu\u0308g", color: "#000000" });
  assert.equal(made.body.name, "b\u00fcg");
  const again = await board.admin.post(board.labels, { name: "B\u00fcg", color: "#000000" });
  assert.deepEqual(again.body.errors, { name: ["is taken"] });
  // Names from before they were normalized.
  await t.db.updateTable("labels").set({ name: "bu\u0308g" }).where("id", "=", made.body.id).execute();
  const third = await board.admin.post(board.labels, { name: "b\u00fcg", color: "#000000" });
  assert.deepEqual(third.body.errors, { name: ["is taken"] });
});

test("if ten requests create the same label concurrently, one succeeds", async () => {
  const board = await open();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => board.admin.post(board.labels, { name: "Same", color: "#000000" })),
  );
  assert.deepEqual(
    answers.map((answer) => answer.status).sort((a, b) => a - b),
    [201, ...Array.from({ length: 9 }, () => 422)],
  );
});

test("each invalid field is 422", async () => {
  const board = await open();
  const url = `${board.labels}/${await board.label()}`;
  assert.deepEqual(refusalOf(await board.admin.post(board.labels, {})), [422, "color", "name"]);
  for (const color of ["red", "#fff", "#12345g", "#1234567", "1f6feb", " #1f6feb", 0, ""]) {
    const created = await board.admin.post(board.labels, { name: "X", color });
    assert.deepEqual(refusalOf(created), [422, "color"], String(color));
    assert.deepEqual(refusalOf(await board.admin.patch(url, { color })), [422, "color"], String(color));
  }
  for (const name of ["", "a\nb", "x".repeat(101), 1])
    assert.deepEqual(refusalOf(await board.admin.patch(url, { name })), [422, "name"], String(name));
});

test("deleting a label removes it from its issues and records that in their history", async () => {
  const board = await open();
  const [gone, kept] = [await board.label(), await board.label()];
  const both = await board.make({ label_ids: [gone, kept] });
  const one = await board.make({ label_ids: [gone] });
  const other = await board.make({ label_ids: [kept] });
  assert.equal((await board.admin.delete(`${board.labels}/${gone}`)).status, 204);
  const issue = await board.read(both.id);
  assert.deepEqual(issue.label_ids, [kept]);
  assert.ok(issue.updated_at > both.updated_at);
  assert.deepEqual(await board.read(other.id), other);
  for (const [id, from, to] of [
    [both.id, [gone, kept], [kept]],
    [one.id, [gone], []],
  ]) {
    const { data } = (await board.admin.get(`${board.issues}/${String(id)}/activity`)).body;
    const { kind, ...last } = data.at(-1);
    assert.deepEqual([kind, last.from, last.to], ["label_ids", from, to]);
  }
  assert.equal((await board.admin.delete(`${board.labels}/${gone}`)).status, 404);
});

test("a label of another project is 404 even if the body is invalid", async () => {
  const [board, other] = [await open(), await open()];
  const foreign = await other.label();
  for (const id of [foreign, 999_999, "x"]) {
    assert.equal((await board.admin.patch(`${board.labels}/${id}`, { name: 1 })).status, 404);
    assert.equal((await board.admin.delete(`${board.labels}/${id}`)).status, 404);
  }
  assert.equal((await other.admin.get(other.labels)).body.data.length, 1);
});

test("anyone with access to the project can read its labels, and project:update is needed to change them", async () => {
  const board = await open();
  const url = `${board.labels}/${await board.label()}`;
  const member = t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, board.id)).id));
  assert.equal((await member.get(board.labels)).status, 200);
  assert.equal((await member.post(board.labels, { name: "X", color: "#000000" })).status, 403);
  assert.equal((await member.patch(url, { name: "X" })).status, 403);
  assert.equal((await member.delete(url)).status, 403);
  const token = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  assert.equal((await token.get(board.labels)).status, 403);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import type { Client } from "../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openBoard(t, workspace);
const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

test("an unknown issue is 404 even if the body is invalid, whether named by id or key", async () => {
  const board = await open();
  const other = await open();
  const foreign = await other.make();
  const mine = await board.make();
  const names = [foreign.id, foreign.key, `${board.key}-2`, `${board.key}-0`, `${board.key}-01`];
  names.push(mine.key.toLowerCase(), `${board.key}-99999999999999999999`, "0", "-1", "1.5", "x", 2 ** 53);
  names.push(`${board.key}-999999999999999`, 999_999_999_999_999);
  for (const name of names) {
    const url = `${board.issues}/${name}`;
    assert.equal((await board.admin.get(url)).status, 404, String(name));
    assert.equal((await board.admin.patch(url, { title: 1 })).status, 404, String(name));
    assert.equal((await board.admin.post(`${url}/move`, { lane_id: "x" })).status, 404, String(name));
    assert.equal((await board.admin.get(`${url}/activity?limit=x`)).status, 404, String(name));
    assert.equal((await board.admin.delete(url)).status, 404, String(name));
  }
  assert.deepEqual(await other.read(foreign.id), foreign);
});

test("each of the four permissions allows exactly its own requests", async () => {
  const board = await open();
  const allowed = async (client: Client) => {
    const { id } = await board.make();
    const url = `${board.issues}/${id}`;
    const answers = {
      list: await client.get(board.issues),
      read: await client.get(url),
      activity: await client.get(`${url}/activity`),
      create: await client.post(board.issues, { title: "X" }),
      patch: await client.patch(url, { title: "Y" }),
      move: await client.post(`${url}/move`),
      delete: await client.delete(url),
    };
    for (const [name, answer] of Object.entries(answers))
      assert.ok(answer.status < 300 || answer.status === 403, `${name} ${answer.text}`);
    return Object.keys(answers).filter((name) => answers[name as keyof typeof answers].status < 300);
  };
  const withPermissions = async (...permissions: string[]) =>
    allowed(await as(await makeMember(t.db, board.id, { role: { permissions } })));
  assert.deepEqual(await withPermissions("issues:read"), ["list", "read", "activity"]);
  assert.deepEqual(await withPermissions("issues:create"), ["create"]);
  assert.deepEqual(await withPermissions("issues:update"), ["patch", "move"]);
  assert.deepEqual(await withPermissions("issues:delete"), ["delete"]);
  assert.deepEqual(await withPermissions("reports:read", "epics:update"), []);
  assert.deepEqual(await allowed(await as(await makeWorkspaceMember(t.db, workspace.id))), []);
  assert.deepEqual(await allowed(t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id))), []);
  const reader = t.http.as(await makePersonalToken(t.db, workspace.admin.id, { write: false }));
  assert.deepEqual(await allowed(reader), ["list", "read", "activity"]);
  assert.equal((await t.http.get(board.issues)).status, 401);
});

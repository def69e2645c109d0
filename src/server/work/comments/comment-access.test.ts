import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import type { Client } from "../../../../test/support/client.ts";
import { COMMENTED, openDiscussion } from "../../../../test/support/comments.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type RoleName,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db, { features: { reports: false, error_tracking: false } });
const board = await openBoard(t, workspace);

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const member = async (role: RoleName | { permissions: string[] }) =>
  as(await makeMember(t.db, board.id, { role }));

for (const on of COMMENTED) {
  const kind = on.slice(0, -1);

  /** The status of every request on another user's comment, and of updating one's own. */
  const statuses = async (client: Client, author?: { id: number }) => {
    const d = await openDiscussion(board, on);
    const others = await d.make();
    const own = author === undefined ? others : await d.make();
    if (author)
      await t.db.updateTable("comments").set({ user_id: author.id }).where("id", "=", own.id).execute();
    const answers = {
      list: await client.get(d.url),
      create: await client.post(d.url, { content: "x" }),
      edit: await client.put(d.of(others), { content: "x" }),
      pin: await client.post(`${d.of(others)}/pin`),
      unpin: await client.delete(`${d.of(others)}/pin`),
      like: await client.post(`${d.of(others)}/like`),
      delete: await client.delete(d.of(others)),
      ...(author && {
        editOwn: await client.put(d.of(own), { content: "x" }),
        deleteOwn: await client.delete(d.of(own)),
      }),
    };
    return Object.fromEntries(Object.entries(answers).map(([verb, answer]) => [verb, answer.status]));
  };
  const none = {
    list: 403,
    create: 403,
    edit: 403,
    pin: 403,
    unpin: 403,
    like: 403,
    delete: 403,
    editOwn: 403,
    deleteOwn: 403,
  };

  test(`each permission allows exactly its own requests on comments on ${on}`, async () => {
    const cases: [string[], object][] = [
      [[], {}],
      [[`${on}:read`], { list: 200, like: 200 }],
      [["comments:create"], {}],
      [
        [`${on}:read`, "comments:create"],
        { list: 200, like: 200, create: 201, editOwn: 200, deleteOwn: 204 },
      ],
      [[`${on}:update`], { edit: 200, pin: 200, unpin: 200, delete: 204, editOwn: 200, deleteOwn: 204 }],
      [[`${on}:create`, `${on}:delete`, "project:update"], {}],
      [
        on === "issues"
          ? ["epics:read", "epics:update", "comments:create"]
          : ["issues:read", "issues:update", "comments:create"],
        {},
      ],
    ];
    for (const [permissions, expected] of cases) {
      const user = await makeMember(t.db, board.id, { role: { permissions } });
      assert.deepEqual(await statuses(await as(user), user), { ...none, ...expected }, permissions.join(" "));
    }
  });

  test(`each role may do what its permissions allow with comments on ${on}`, async () => {
    const all = {
      list: 200,
      create: 201,
      edit: 200,
      pin: 200,
      unpin: 200,
      like: 200,
      delete: 204,
      editOwn: 200,
      deleteOwn: 204,
    };
    const writing = { ...none, list: 200, like: 200, create: 201, editOwn: 200, deleteOwn: 204 };
    const expected = {
      Manager: all,
      Member: all,
      Reporter: on === "issues" ? writing : none,
      Viewer: { ...none, list: 200, like: 200 },
    } as const;
    for (const [role, verbs] of Object.entries(expected)) {
      const user = await makeMember(t.db, board.id, { role: role as RoleName });
      assert.deepEqual(await statuses(await as(user), user), verbs, role);
    }
    const owner = await makeMember(t.db, board.id, { role: { permissions: [] }, is_owner: true });
    assert.deepEqual(await statuses(await as(owner), owner), all);
  });

  test(`outsiders, project tokens and tokens without the write scope are refused on ${on}`, async () => {
    const { list, ...writes } = none;
    const withoutOwn = (verbs: Record<string, number>) =>
      Object.fromEntries(Object.entries(verbs).filter(([verb]) => !verb.endsWith("Own")));
    for (const user of [await makeUser(t.db), await makeWorkspaceMember(t.db, workspace.id)])
      assert.deepEqual(await statuses(await as(user)), withoutOwn(none));
    const projectToken = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
    assert.deepEqual(await statuses(projectToken), withoutOwn({ list, ...writes }));
    const reader = t.http.as(await makePersonalToken(t.db, workspace.admin.id, { write: false }));
    assert.deepEqual(await statuses(reader), withoutOwn({ list: 200, ...writes }));
    const nobody = Object.fromEntries(Object.keys(withoutOwn(none)).map((verb) => [verb, 401]));
    assert.deepEqual(await statuses(t.http), nobody);
  });

  test(`a comment on a different one of ${on}, or an unknown comment, is 404 even if the body is invalid`, async () => {
    const d = await openDiscussion(board, on);
    const own = await d.make();
    const sibling = await (await openDiscussion(board, on)).make();
    const cousin = await (await openDiscussion(board, on === "issues" ? "epics" : "issues")).make();
    const foreign = await (await openDiscussion(await openBoard(t, workspace), on)).make();
    for (const id of [
      sibling.id,
      cousin.id,
      foreign.id,
      999_999,
      "0",
      "-1",
      "1.5",
      "x",
      2 ** 53,
      `${own.id}x`,
    ]) {
      const url = `${d.url}/${id}`;
      const answers = [
        await board.admin.put(url, { content: 5 }),
        await board.admin.delete(url),
        await board.admin.post(`${url}/pin`),
        await board.admin.delete(`${url}/pin`),
        await board.admin.post(`${url}/like`),
      ];
      for (const { status, body } of answers)
        assert.deepEqual([status, body], [404, { message: "There is no such comment." }], String(id));
    }
    const left = await t.db
      .selectFrom("comments")
      .select("id")
      .where("id", "in", [sibling.id, cousin.id, foreign.id])
      .execute();
    assert.equal(left.length, 3);
    assert.deepEqual(await d.list(), { data: [own], meta: { next_cursor: null, count: 1 } });
  });

  test(`comments on an unknown one of ${on}, or on another project's, are 404 even if the body is invalid`, async () => {
    const other = await openDiscussion(await openBoard(t, workspace), on);
    const comment = await other.make();
    for (const id of [other.id, 999_999, "0", "x", `${board.key}-999`, 2 ** 53]) {
      const url = `${board.url}/${on}/${id}/comments`;
      const answers = [
        await board.admin.get(`${url}?limit=x`),
        await board.admin.post(url, { content: 5 }),
        await board.admin.put(`${url}/${comment.id}`, { content: 5 }),
        await board.admin.delete(`${url}/${comment.id}`),
        await board.admin.post(`${url}/${comment.id}/pin`),
        await board.admin.delete(`${url}/${comment.id}/pin`),
        await board.admin.post(`${url}/${comment.id}/like`),
      ];
      for (const { status, body } of answers)
        assert.deepEqual([status, body], [404, { message: `There is no such ${kind}.` }], String(id));
    }
    assert.deepEqual((await other.list()).data, [comment]);
  });

  test(`with only the permission to comment on ${on}, an unknown comment is 404 and another user's is 403, whatever the body`, async () => {
    const client = await member({ permissions: [`${on}:read`, "comments:create"] });
    const d = await openDiscussion(board, on);
    const others = await d.make();
    const own = await d.make({}, client);
    const put = (url: string, payload: string) =>
      client.send({ method: "PUT", url, headers: { "content-type": "application/json" }, payload });
    assert.equal((await put(d.of(others), "{")).status, 403);
    assert.equal((await put(d.of(own), "{")).status, 400);
    assert.equal((await put(`${d.url}/999999`, "{")).status, 400);
    assert.equal((await put(`${d.url}/999999`, "{}")).status, 404);
    assert.equal((await client.delete(`${d.url}/999999`)).status, 404);
    assert.equal((await client.delete(`${d.url}/x`)).status, 404);
    assert.equal((await client.delete(d.of(others))).status, 403);
    assert.deepEqual((await d.list()).data, [others, own]);
  });
}

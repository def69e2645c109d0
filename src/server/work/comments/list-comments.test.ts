import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../../test/support/board.ts";
import { COMMENTED, openDiscussion } from "../../../../test/support/comments.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const board = await openBoard(t, await makeWorkspace(t.db));

for (const on of COMMENTED) {
  test(`the list of comments on ${on} has root comments oldest first, each followed by its replies oldest first`, async () => {
    const d = await openDiscussion(board, on);
    assert.deepEqual(await d.list(), { data: [], meta: { next_cursor: null, count: 0 } });
    const [a, b] = [await d.make(), await d.make()];
    const [b1, a1] = [await d.reply(b), await d.reply(a)];
    const [c, a2] = [await d.make(), await d.reply(a)];
    const ids = [a, a1, a2, b, b1, c].map((comment) => comment.id);
    assert.deepEqual(await d.ids(), ids);
    assert.equal((await d.list()).meta.count, 6);
  });

  test(`pages of comments on ${on} count root comments, and each starts with the pinned thread, which appears nowhere else`, async () => {
    const d = await openDiscussion(board, on);
    const roots = [];
    for (let n = 0; n < 6; n++) roots.push(await d.make());
    const [a, b, c, e, f, g] = roots.map((root) => root.id);
    const reply = await d.reply(roots[3] as { id: number });
    const other = await d.reply(roots[0] as { id: number });
    assert.equal((await board.admin.post(`${d.of(reply)}/pin`)).status, 200);
    const pinned = [e, reply.id];

    const pages = [];
    let query = "?limit=2";
    for (;;) {
      const { data, meta } = await d.list(query);
      assert.equal(meta.count, 8);
      assert.deepEqual(
        data.filter((comment) => comment.is_pinned).map((comment) => comment.id),
        [reply.id],
      );
      pages.push(data.map((comment) => comment.id));
      if (meta.next_cursor === null) break;
      query = `?limit=2&cursor=${meta.next_cursor}`;
    }
    assert.deepEqual(pages, [
      [...pinned, a, other.id, b],
      [...pinned, c, f],
      [...pinned, g],
    ]);
    assert.deepEqual(await d.ids("?limit=5"), [...pinned, a, other.id, b, c, f, g]);

    await board.admin.delete(`${d.of(reply)}/pin`);
    assert.deepEqual(await d.ids("?limit=4"), [a, other.id, b, c, e, reply.id]);
  });
}

test("the page with the last root comment has no next page, and a cursor beyond it returns only the pinned thread", async () => {
  const d = await openDiscussion(board, "issues");
  const [first, second] = [await d.make(), await d.make()];
  const whole = await d.list("?limit=2");
  assert.equal(whole.meta.next_cursor, null);
  const { meta } = await d.list("?limit=1");
  await board.admin.delete(d.of(second));
  await board.admin.post(`${d.of(first)}/pin`);
  const rest = await d.list(`?cursor=${meta.next_cursor}`);
  assert.deepEqual(
    rest.data.map((comment) => comment.id),
    [first.id],
  );
  assert.deepEqual(rest.meta, { next_cursor: null, count: 1 });
});

test("limit is 1 to 100 and defaults to 50, and a cursor of another list is 422", async () => {
  const d = await openDiscussion(board, "epics");
  await sql`
    insert into comments (project_id, epic_id, user_id, content)
    select ${board.id}, ${d.id}, ${board.adminId}, 'Text ' || n from generate_series(1, 101) n`.execute(t.db);
  assert.equal((await d.ids()).length, 50);
  assert.equal((await d.ids("?limit=100")).length, 100);
  for (const limit of ["0", "101", "-1", "1.5", "x", ""]) {
    const answer = await board.admin.get(`${d.url}?limit=${limit}`);
    assert.equal(answer.status, 422, limit);
    assert.deepEqual(Object.keys(answer.body.errors), ["limit"]);
  }
  for (const cursor of ["x", "LTE", "MA", "", "e30"]) {
    const answer = await board.admin.get(`${d.url}?cursor=${cursor}`);
    assert.equal(answer.status, 422, cursor);
    assert.deepEqual(Object.keys(answer.body.errors), ["cursor"]);
  }
});

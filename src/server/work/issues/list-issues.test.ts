import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Issue } from "../../../shared/issues.ts";
import { openBoard, type Board } from "../../../../test/support/board.ts";
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
const idsOf = (issues: { id: number }[]) => issues.map((issue) => issue.id);

async function list(client: Client, url: string, query: Record<string, unknown> = {}): Promise<number[]> {
  const search = new URLSearchParams(query as Record<string, string>);
  const answer = await client.get(`${url}?${search.toString()}`);
  assert.equal(answer.status, 200, answer.text);
  return idsOf(answer.body.data);
}

/** Sends the same query to both lists, with the project's id to the cross-project one. */
async function bothLists(board: Board, query: Record<string, unknown>): Promise<number[]> {
  const own = await list(board.admin, board.issues, query);
  const all = await list(board.admin, "/api/issues", { project_id: board.id, ...query });
  assert.deepEqual(all, own);
  return own;
}

test("the list has the same fields as single issues, newest first", async () => {
  const board = await open();
  const label = await board.label();
  const a = await board.make({ label_ids: [label], description: "A" });
  const b = await board.make({ blocked_by_ids: [a.id] });
  await board.admin.post(`${board.issues}/${a.id}/watch`);
  const { data, meta } = (await board.admin.get(board.issues)).body;
  assert.deepEqual(data, [await board.read(b.id), await board.read(a.id)]);
  assert.deepEqual([data[0]?.watching, data[1]?.watching], [true, false]);
  assert.deepEqual(meta, { next_cursor: null });
});

test("every filter works in both lists, and filters can be combined", async () => {
  const board = await open();
  const { lanes } = board;
  const member = await makeMember(t.db, board.id);
  const [sprint, epic, label] = [await board.sprint(), await board.epic(), await board.label()];
  const plain = (await board.make()).id;
  const full = (
    await board.make({
      lane_id: lanes.doing,
      type: 1,
      priority: 0,
      assignee_id: member.id,
      sprint_id: sprint,
      epic_id: epic,
      label_ids: [label, await board.label()],
    })
  ).id;
  const mine = (await board.make({ lane_id: lanes.done, assignee_id: board.adminId, type: 1 })).id;
  for (const [query, expected] of [
    [{}, [mine, full, plain]],
    [{ assignee_id: member.id }, [full]],
    [{ assignee_id: "me" }, [mine]],
    [{ ids: `${plain},${mine},999999` }, [mine, plain]],
    [{ ids: `${plain},${mine}`, type: 1 }, [mine]],
    [{ assignee_id: "none" }, [plain]],
    [{ lane_id: lanes.doing }, [full]],
    [{ lane_kind: "done" }, [mine]],
    [{ lane_kind: "todo" }, []],
    [{ type: 0 }, [plain]],
    [{ type: 1 }, [mine, full]],
    [{ priority: 0 }, [full]],
    [{ priority: 2, type: 1 }, [mine]],
    [{ sprint_id: sprint }, [full]],
    [{ sprint_id: "none" }, [mine, plain]],
    [{ epic_id: epic }, [full]],
    [{ epic_id: "none", assignee_id: "none" }, [plain]],
    [{ label_id: label }, [full]],
    [{ label_id: "none" }, [mine, plain]],
    [{ label_id: `${label},none` }, [mine, full, plain]],
    [{ assignee_id: `${member.id},none` }, [full, plain]],
    [{ assignee_id: `me,${member.id}` }, [mine, full]],
    [{ lane_id: `${lanes.doing},${lanes.done}` }, [mine, full]],
    [{ type: "0,1", priority: "0,1" }, [full]],
    [{ sprint_id: `${sprint},none`, epic_id: `${epic},999999` }, [full]],
    [{ label_id: label, priority: 3 }, []],
    [{ label_id: 999_999 }, []],
    [{ type: "", query: "", sort: "" }, [mine, full, plain]],
  ] as const)
    assert.deepEqual(await bothLists(board, query), expected, JSON.stringify(query));
});

test("a query matches word prefixes in title and description, and an issue's key", async () => {
  const board = await open();
  const one = (await board.make({ title: "Checkout fails: TypeError in src/cart.ts" })).id;
  const two = (await board.make({ title: "Pay later", description: "“Straße”—café\nfoo_bar@example.com" }))
    .id;
  const { key } = await board.read(two);
  for (const [query, expected] of [
    ["check", [one]],
    ["FAILS typeerror", [one]],
    ["cart", [one]],
    ["src/cart.ts", [one]],
    ["heckout", []],
    ["checkout later", []],
    ["straße CAFÉ", [two]],
    ["bar example", [two]],
    ["pay", [two]],
    [key, [two]],
    [key.toLowerCase(), [two]],
    [` ${key} `, [two]],
    [`${board.key}-999999999999999`, []],
    ["!!!", []],
    ["'", []],
    ["a' | 'pay", []],
    ["\\ pay:* <->", [two]],
    ["– pay", [two]],
    ["\0", []],
    ["\ud800", []],
    ["x".repeat(255), []],
    ["😀".repeat(255), []],
  ] as const)
    assert.deepEqual(await bothLists(board, { query }), expected, query);
});

test("a query finds the current text", async () => {
  const board = await open();
  const { id } = await board.make({ title: "Alpha" });
  await board.admin.patch(`${board.issues}/${id}`, { title: "Omega", description: "Delta" });
  assert.deepEqual(await bothLists(board, { query: "alpha" }), []);
  assert.deepEqual(await bothLists(board, { query: "omega delta" }), [id]);
});

test("an invalid filter, sort, limit or cursor is 422 on its name in both lists", async () => {
  const board = await open();
  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const [field, values] of Object.entries({
    project_id: ["x", "0", "-1", "1.5", "9".repeat(16)],
    assignee_id: ["x", "0", "ME", "me,", "1,x", Array(201).fill("1").join(",")],
    lane_id: ["x", "none", "1,,2"],
    lane_kind: ["Done", "open"],
    type: ["2", "x", "-1", "0,2"],
    priority: ["5", "00", "none"],
    epic_id: ["x"],
    sprint_id: ["null"],
    label_id: ["x", "none,me"],
    query: ["x".repeat(256)],
    sort: ["title", "--rank", "rank,-id"],
    limit: ["0", "201", "x", ""],
    cursor: [
      "x",
      "e30",
      cursor(["created_at", true, "2026-01-01", 1]),
      cursor(["created_at", true, "0000-01-01T00:00:00.000000Z", 1]),
      cursor(["created_at", true, "2026-13-01T00:00:00.000000Z", 1]),
      cursor(["created_at", true, "2026-02-30T00:00:00.000000Z", 1]),
      cursor(["created_at", false, "2026-01-01T00:00:00.000000Z", 1]),
      cursor(["priority", true, 1, 1]),
      cursor(["created_at", true, "2026-01-01T00:00:00.000000Z", 0]),
    ],
  }))
    for (const value of values)
      for (const url of [board.issues, "/api/issues"]) {
        const answer = await board.admin.get(`${url}?${field}=${encodeURIComponent(value)}`);
        assert.equal(answer.status, 422, `${field}=${value}`);
        assert.deepEqual(Object.keys(answer.body.errors), [field], `${field}=${value}`);
      }
  for (const field of ["type", "query", "sort", "lane_kind"])
    assert.equal((await board.admin.get(`${board.issues}?${field}=1&${field}=1`)).status, 422, field);
});

test("the pages of every sort order together are the whole list, even with equal values", async () => {
  const board = await open();
  const made: Issue[] = [];
  for (let n = 0; n < 9; n++)
    made.push(await board.make({ priority: n % 3, lane_id: n % 2 ? board.lanes.todo : board.lanes.done }));
  await t.db
    .updateTable("issues")
    .set({ updated_at: "2026-01-01T00:00:00.123456Z" })
    .where("id", "in", idsOf(made.slice(0, 6)))
    .execute();
  const issues = await Promise.all(made.map((issue) => board.read(issue.id)));
  const before = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b));
  for (const by of ["created_at", "updated_at", "priority", "rank"] as const)
    for (const [sort, sign] of [
      [by, 1],
      [`-${by}`, -1],
    ] as const) {
      const expected = [...issues].sort((a, b) => sign * (before(a[by], b[by]) || a.id - b.id));
      for (const url of [board.issues, "/api/issues"]) {
        const pages: number[] = [];
        let cursor: string | null = "";
        for (let turn = 0; cursor !== null; turn++) {
          assert.ok(turn < 5);
          const more: string = cursor && `&cursor=${cursor}`;
          const { body } = await board.admin.get(`${url}?project_id=${board.id}&sort=${sort}&limit=2${more}`);
          pages.push(...idsOf(body.data));
          cursor = body.meta.next_cursor;
        }
        assert.deepEqual(pages, idsOf(expected), sort);
      }
    }
});

test("the pages across many projects are those of a complete sort", async () => {
  const many = await makeWorkspace(t.db);
  // Some projects have all of the newest issues, or of those that changed last. Several values are equal.
  await sql`with made as (
      insert into projects (workspace_id, key, name) select ${many.id}, 'MANY' || n, n from generate_series(1, 20) n
      returning id, name::int as n
    ), lane as (
      insert into lanes (project_id, name, kind, position) select id, 'To do', 'todo', 0 from made returning id, project_id
    )
    insert into issues (project_id, number, title, type, priority, lane_id, rank, due_on, created_at, updated_at)
    select made.id, i, '', i % 2, (i + made.n) % 5, lane.id, lpad(i::text, 5, '0'),
      case when i % 4 = 0 then date '2026-01-01' + (i + made.n) % 40 end,
      timestamptz '2026-01-01' + (i / 2 * 7 + made.n * 90) * interval '1 minute',
      timestamptz '2026-02-01' + (i / 3 * 11 - made.n * 90) * interval '1 minute'
    from made join lane on lane.project_id = made.id cross join lateral generate_series(1, made.n * 10) i`.execute(
    t.db,
  );
  await sql`analyze issues, projects`.execute(t.db);
  const client = await as(many.admin);
  for (const column of ["created_at", "updated_at", "due_on", "priority"])
    for (const sign of ["", "-"])
      for (const filter of ["", "&type=1", "&assignee_id=none"]) {
        const [way, end] = sign ? [sql`desc`, sql`'-infinity'`] : [sql`asc`, sql`'infinity'`];
        const by = column === "due_on" ? sql`coalesce(i.due_on, ${end})` : sql.ref(`i.${column}`);
        const { rows } = await sql<{ id: number }>`
          select i.id from issues i join projects p on p.id = i.project_id
          where p.workspace_id = ${many.id} ${filter === "&type=1" ? sql`and type = 1` : sql``}
          order by ${by} ${way}, i.id ${way} limit 120`.execute(t.db);
        const listed: number[] = [];
        let cursor: string | null = "";
        while (listed.length < 120) {
          const query = `sort=${sign}${column}&limit=40${filter}${cursor && `&cursor=${cursor}`}`;
          const { body } = await client.get(`/api/issues?${query}`);
          listed.push(...idsOf(body.data));
          cursor = body.meta.next_cursor;
        }
        assert.deepEqual(listed, idsOf(rows), `${sign}${column}${filter}`);
      }
});

test("the cross-project list contains exactly the projects in which the caller may read issues", async () => {
  const [one, two, three] = [await open(), await open(), await open()];
  const made = [(await one.make()).id, (await two.make()).id, (await three.make()).id];
  const person = await makeMember(t.db, one.id, { role: "Viewer" });
  await makeMember(t.db, two.id, { user: person, role: { permissions: ["reports:read"] } });
  const client = await as(person);
  assert.deepEqual(await list(client, "/api/issues"), [made[0]]);
  for (const board of [two, three]) {
    assert.deepEqual(await list(client, "/api/issues", { project_id: board.id }), []);
    assert.deepEqual(await list(client, "/api/issues", { lane_id: board.lanes.backlog }), []);
    assert.deepEqual(await list(client, "/api/issues", { query: `${board.key}-1` }), []);
  }
  assert.deepEqual(await list(client, one.issues, { project_id: two.id }), []);
  const elsewhere = (await makeWorkspace(t.db)).admin;
  assert.deepEqual(await list(await as(elsewhere), "/api/issues"), []);
  const owner = await makeMember(t.db, three.id, { role: { permissions: [] }, is_owner: true });
  assert.deepEqual(await list(await as(owner), "/api/issues"), [made[2]]);
  assert.deepEqual(await list(await as(await makeWorkspaceMember(t.db, workspace.id)), "/api/issues"), []);
});

test("listing issues is 403 for a project token and 401 without a credential", async () => {
  const board = await open();
  const token = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  assert.equal((await token.get("/api/issues")).status, 403);
  assert.equal((await t.http.get("/api/issues")).status, 401);
});

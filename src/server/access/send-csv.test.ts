import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { fillSmallDemo, readDemo } from "../../../test/support/demo.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { temporaryFiles } from "../../../test/support/files.ts";
import { makeMember, makePersonalToken, makeProjectToken } from "../../../test/support/make.ts";
import { parseCsv } from "../../../test/support/parse-csv.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const { administratorId } = await fillSmallDemo(t);
const { browser, read } = await readDemo(t, administratorId);
const project: { id: number; key: string } = (await read("/api/projects")).data[0];
const url = `/api/projects/${project.id}`;

/** A JSON value as a cell, before formulas are disarmed. */
const cellOf = (value: unknown) =>
  value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

const LISTS: [path: string, query: string, name: string][] = [
  ["issues", "sort=-priority", "issues"],
  ["reports", "view=active&sort=voices", "reports"],
  ["error-groups", "status=0&sort=events", "error-groups"],
  ["epics", "", "epics"],
  ["sprints", "", "sprints"],
  ["releases", "", "releases"],
];

for (const [path, query, name] of LISTS)
  test(`CSV of ${path} has the rows and fields of the list in its order`, async () => {
    const json = await read(`${url}/${path}?${query}${path === "reports" ? "" : "&limit=200"}`);
    const rows: Record<string, unknown>[] = Array.isArray(json) ? json : json.data;
    const answer = await browser.get(`${url}/${path}?${query}&format=csv&limit=1`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers["content-type"], "text/csv; charset=utf-8");
    assert.equal(answer.headers["content-disposition"], `attachment; filename=${name}.csv`);
    assert.ok(rows.length > 1);
    const cells = parseCsv(answer.text);
    assert.deepEqual(
      cells.map((row) => row["id"]),
      rows.map((row) => String(row["id"])),
    );
    for (const [n, row] of rows.entries())
      for (const [field, value] of Object.entries(row))
        assert.equal(cells[n]?.[field]?.replace(/^'/, ""), cellOf(value).replace(/^'/, ""), field);
  });

test("CSV of the lists across projects has the rows of all projects", async () => {
  for (const path of ["/api/issues", "/api/error-groups"]) {
    const { data } = await read(`${path}?limit=200`);
    const { text } = await browser.get(`${path}?format=csv`);
    assert.deepEqual(
      parseCsv(text).map((row) => row["id"]),
      data.map(({ id }: { id: number }) => String(id)),
    );
  }
});

test("CSV has more rows than a page, and leaves no temporary file", async () => {
  const { data } = await read(`${url}/lanes`);
  await sql`
    insert into issues (project_id, number, title, type, priority, lane_id, rank)
    select ${project.id}, 100000 + n, 'Many ' || n, 0, 2, ${data[0].id}, 'zz' || lpad(n::text, 5, '0') || 'V'
    from generate_series(1, 450) n`.execute(t.db);
  const { text } = await browser.get(`${url}/issues?query=many&format=csv`);
  const ids = parseCsv(text).map((row) => row["id"]);
  assert.equal(new Set(ids).size, 450);
  assert.equal(ids.length, 450);
  await eventually(() => temporaryFiles(t), []);
});

test("an invalid filter or format returns 422, also for CSV", async () => {
  const wrong = await browser.get(`${url}/issues?format=xml`);
  assert.deepEqual([wrong.status, wrong.body.errors], [422, { format: ["must be json or csv"] }]);
  const filter = await browser.get(`${url}/issues?format=csv&type=7`);
  assert.deepEqual([filter.status, Object.keys(filter.body.errors)], [422, ["type"]]);
});

test("CSV requires the permission of the list", async () => {
  const member = await makeMember(t.db, project.id, { role: { permissions: ["epics:read"] } });
  const limited = t.http.as(await makePersonalToken(t.db, member.id));
  assert.equal((await limited.get(`${url}/epics?format=csv`)).status, 200);
  for (const path of ["issues", "reports", "error-groups", "releases"])
    assert.equal((await limited.get(`${url}/${path}?format=csv`)).status, 403, path);
  const app = t.http.as(await makeProjectToken(t.db, project.id, administratorId));
  assert.equal((await app.get(`${url}/issues?format=csv`)).status, 403);
});

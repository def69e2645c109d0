import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Report } from "../../shared/reports.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

const create = async (fields: object, by = p.admin): Promise<Report> => {
  const answer = await by.post(p.reports, { title: "A report", description: "What happened", ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};

async function ids(query: string, by = p.admin): Promise<number[]> {
  const answer = await by.get(`${p.reports}?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.map(({ id }: Report) => id);
}

const make = async (count: number) => {
  const reports: Report[] = [];
  for (let n = 0; n < count; n++) reports.push(await p.create());
  return reports;
};

async function addVoices(original: Report, count: number) {
  for (const copy of await make(count)) {
    const body = { category: "duplicate", duplicate_of: { report_id: original.id } };
    assert.equal((await p.admin.post(`${p.of(copy)}/dismiss`, body)).status, 200);
  }
}

/** The ids of all pages; each page must be full except for the last one. */
async function pages(query: string, limit: number): Promise<number[]> {
  const all: number[] = [];
  for (let url: string | undefined = `${p.reports}?${query}&limit=${limit}`; url !== undefined;) {
    const answer = await p.admin.get(url);
    assert.equal(answer.status, 200, answer.text);
    all.push(...answer.body.map(({ id }: Report) => id));
    url = /^<(.+)>; rel="next"$/.exec(answer.headers["link"] ?? "")?.[1];
    assert.ok(answer.body.length === limit || url === undefined);
  }
  return all;
}

test("query finds reports whose title and description have all words", async () => {
  const coupon = await create({ title: "Coupon lost", description: "After signing in" });
  await create({ title: "Coupon field" });
  assert.deepEqual(await ids("query=COUP+sign"), [coupon.id]);
  assert.deepEqual(await ids("query=zeppelin"), []);
  assert.deepEqual(await ids("query=%21%21"), []);
});

test("source finds reports of the team or from outside", async () => {
  const manual = await create({});
  const external = await create({}, p.token);
  assert.deepEqual([await ids("source=0"), await ids("source=1")], [[manual.id], [external.id]]);
});

test("kind finds reports whose authors call them that", async () => {
  const [, idea] = await make(2);
  await t.db
    .updateTable("reports")
    .set({ kind: "idea" })
    .where("id", "=", idea?.id ?? 0)
    .execute();
  assert.deepEqual(await ids("kind=idea"), [idea?.id]);
  assert.deepEqual(await ids("kind=bug"), []);
});

test("author finds reports by user, and by a part of a name or address", async () => {
  const { user, client } = await p.member("Member");
  const own = await create({ author_name: "Grace Hopper" });
  const theirs = await create({}, client);
  const external = await create({ author_name: "100% Kim" }, p.token);
  await t.db
    .updateTable("reports")
    .set({ author_email: "kim@example.com" })
    .where("id", "=", external.id)
    .execute();
  assert.deepEqual(await ids("author=me"), [own.id]);
  assert.deepEqual(await ids("author=me", client), [theirs.id]);
  assert.deepEqual(await ids(`author=${user.id}`), [theirs.id]);
  assert.deepEqual(await ids("author=hopp"), [own.id]);
  assert.deepEqual(await ids("author=KIM%40example"), [external.id]);
  assert.deepEqual(await ids(`author=${user.username}`), [theirs.id]);
  assert.deepEqual(await ids("author=0%25"), [external.id]);
  assert.deepEqual(await ids("author=%25"), [external.id]);
});

test("reports are sorted by rank, by voices or by time, in both directions, and equal ones are in queue order", async () => {
  const [first, second, third] = await make(3);
  assert.ok(first && second && third);
  await addVoices(second, 2);
  const order = [first, second, third].map(({ id }) => id);
  const loud = [second, first, third].map(({ id }) => id);
  const view = "view=active";
  assert.deepEqual(await ids(view), order);
  assert.deepEqual(await ids(`${view}&sort=rank&direction=desc`), order.toReversed());
  assert.deepEqual(await ids(`${view}&sort=voices`), loud);
  assert.deepEqual(await ids(`${view}&sort=voices&direction=asc`), [first.id, third.id, second.id]);
  assert.deepEqual(await ids(`${view}&sort=created_at`), order.toReversed());
  assert.deepEqual(await ids(`${view}&sort=created_at&direction=asc`), order);
});

test("with a limit, the pages of each order together are the whole list", async () => {
  const reports = await make(5);
  await addVoices(reports[3] as Report, 2);
  for (const query of [
    "sort=rank",
    "sort=rank&direction=desc",
    "sort=voices",
    "sort=voices&direction=asc",
    "sort=created_at",
  ]) {
    const all = await ids(query);
    assert.equal(all.length, 7);
    for (const limit of [1, 3, 7, 500])
      assert.deepEqual(await pages(query, limit), all, `${query}, ${limit}`);
  }
});

test("invalid values return 422 on their parameters", async () => {
  await make(2);
  const link = (await p.admin.get(`${p.reports}?limit=1`)).headers["link"] ?? "";
  const cursor = new URL(/<(.+)>/.exec(link)?.[1] ?? "", "http://x").searchParams.get("cursor");
  const forged = (content: unknown) => Buffer.from(JSON.stringify(content)).toString("base64url");
  const cases = {
    source: ["2", "-1", "x"],
    kind: ["Bug", "x"],
    sort: ["title", "-rank"],
    direction: ["up"],
    limit: ["0", "501", "1.5", "x"],
    query: ["x".repeat(256)],
    author: ["x".repeat(256)],
    view: ["all"],
    cursor: [
      "x",
      `${cursor}&sort=voices`,
      `${cursor}&direction=desc`,
      `${forged(["created_at", true, "2026-02-30T00:00:00.000000Z", "a", 1])}&sort=created_at`,
    ],
  };
  for (const [name, values] of Object.entries(cases))
    for (const value of values) {
      const answer = await p.admin.get(`${p.reports}?${name}=${value}`);
      assert.deepEqual(
        [answer.status, Object.keys(answer.body.errors ?? {})],
        [422, [name]],
        `${name}=${value}`,
      );
    }
  assert.equal((await p.admin.get(`${p.reports}?limit=1&limit=2`)).status, 422);
});

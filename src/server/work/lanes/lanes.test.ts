import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fieldsOf } from "../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

type LaneRow = { id: number; name: string; kind: string; position: number };

const t = await useTestApp();
const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const admin = (await makeWorkspace(t.db)).admin;
const client = await as(admin);

let count = 0;
let projectId: number;
let url: string;
let lanes: LaneRow[];
beforeEach(async () => {
  const made = await client.post("/api/projects", { key: `L${++count}`, name: "Lanes" });
  projectId = made.body.id;
  url = `/api/projects/${projectId}/lanes`;
  lanes = await board();
});

const board = async (): Promise<LaneRow[]> => (await client.get(url)).body.data;
const names = async () => (await board()).map((lane) => lane.name);
const laneAt = (position: number) => lanes[position] as LaneRow;

/** Checks that the positions are 0 to n - 1, in the order of the list. */
async function assertDense() {
  const positions = (await board()).map((lane) => lane.position);
  assert.deepEqual(
    positions,
    positions.map((_, index) => index),
  );
}

test("a lane without a position goes to the end; with a position, it is inserted there", async () => {
  const last = await client.post(url, { name: "Shipped", kind: "done" });
  assert.equal(last.status, 201);
  const { id, created_at, ...rest } = last.body;
  assert.equal(typeof id, "number");
  assert.match(created_at, /Z$/);
  assert.deepEqual(rest, {
    project_id: projectId,
    name: "Shipped",
    kind: "done",
    position: 4,
    wip_limit: null,
  });
  await client.post(url, { name: "First", kind: "backlog", position: 0 });
  await client.post(url, { name: "Review", kind: "doing", position: 4 });
  assert.deepEqual(await names(), ["First", "Backlog", "To do", "In progress", "Review", "Done", "Shipped"]);
  await assertDense();
});

test("a lane can be moved from any position to any other", async () => {
  for (let from = 0; from < 4; from++)
    for (let to = 0; to < 4; to++) {
      const order = (await board()).map((lane) => lane.id);
      const moved = order[from] as number;
      const answer = await client.patch(`${url}/${moved}`, { position: to });
      assert.equal(answer.body.position, to);
      const expected = order.filter((id) => id !== moved);
      expected.splice(to, 0, moved);
      assert.deepEqual(
        (await board()).map((lane) => lane.id),
        expected,
        `${from} to ${to}`,
      );
      await assertDense();
    }
});

test("a PATCH changes only the given fields, and null leaves a field unchanged", async () => {
  const lane = laneAt(1);
  const path = `${url}/${lane.id}`;
  assert.deepEqual((await client.patch(path, {})).body, lane);
  assert.deepEqual((await client.patch(path, { name: null, kind: null, position: null })).body, lane);
  assert.deepEqual((await client.patch(path, { name: "Next" })).body, { ...lane, name: "Next" });
  const all = await client.patch(path, { name: "Ready", kind: "doing", position: 3 });
  assert.deepEqual(all.body, { ...lane, name: "Ready", kind: "doing", position: 3 });
  assert.deepEqual(await names(), ["Backlog", "In progress", "Done", "Ready"]);
});

test("a position beyond the end is 422 and changes nothing", async () => {
  for (const position of [5, 2 ** 31, Number.MAX_SAFE_INTEGER, -1, 0.5, "0", true])
    assert.deepEqual(fieldsOf(await client.post(url, { name: "X", kind: "todo", position })), ["position"]);
  for (const position of [4, 2 ** 31, -1, "1"]) {
    const answer = await client.patch(`${url}/${laneAt(0).id}`, { name: "X", position });
    assert.deepEqual(fieldsOf(answer), ["position"]);
  }
  assert.deepEqual(await board(), lanes);
});

test("missing fields and invalid types are 422 on their fields", async () => {
  assert.deepEqual(fieldsOf(await client.post(url, {})), ["kind", "name"]);
  assert.deepEqual(fieldsOf(await client.post(url, { name: 1, kind: "started" })), ["kind", "name"]);
  assert.deepEqual(fieldsOf(await client.post(url, { name: "x".repeat(101), kind: "todo" })), ["name"]);
  assert.deepEqual(fieldsOf(await client.post(url, { name: " \n", kind: "todo" })), ["name"]);
  assert.deepEqual(fieldsOf(await client.patch(`${url}/${laneAt(0).id}`, { name: "", kind: 1 })), [
    "kind",
    "name",
  ]);
  assert.deepEqual(await board(), lanes);
});

test("a deleted lane leaves no gap, and the only lane cannot be deleted", async () => {
  assert.equal((await client.delete(`${url}/${laneAt(1).id}`)).status, 204);
  assert.deepEqual(await names(), ["Backlog", "In progress", "Done"]);
  await assertDense();
  assert.equal((await client.delete(`${url}/${laneAt(1).id}`)).status, 404);
  assert.equal((await client.delete(`${url}/${laneAt(0).id}`)).status, 204);
  assert.equal((await client.delete(`${url}/${laneAt(3).id}`)).status, 204);
  const refused = await client.delete(`${url}/${laneAt(2).id}`);
  assert.equal(refused.status, 422);
  assert.equal(refused.body.message, "A project keeps at least one lane.");
  assert.deepEqual(await names(), ["In progress"]);
});

test("if four requests delete the four lanes concurrently, one is refused", async () => {
  const answers = await Promise.all(lanes.map((lane) => client.delete(`${url}/${lane.id}`)));
  assert.deepEqual(
    answers.map((answer) => answer.status).sort((a, b) => a - b),
    [204, 204, 204, 422],
  );
  assert.equal((await board()).length, 1);
  await assertDense();
});

test("after lanes are created, moved and deleted concurrently, positions are 0 to n - 1", async () => {
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => client.post(url, { name: `New ${n}`, kind: "todo", position: 0 })),
    ...lanes.map((lane, n) => client.patch(`${url}/${lane.id}`, { position: 3 - n })),
    client.delete(`${url}/${laneAt(2).id}`),
    client.post(url, { name: "Last", kind: "done" }),
  ]);
  for (const answer of answers) assert.ok([200, 201, 204, 404].includes(answer.status), answer.text);
  assert.equal((await board()).length, 4 + 6 - 1 + 1);
  await assertDense();
});

test("a lane of another project is 404 even if the body is invalid", async () => {
  const other = await client.post("/api/projects", { key: `L${++count}`, name: "Other" });
  const elsewhere = await client.get(`/api/projects/${other.body.id}/lanes`);
  for (const id of [elsewhere.body.data[0].id, 999_999, "x", "0"]) {
    assert.equal((await client.patch(`${url}/${id}`, { position: "wrong" })).status, 404, String(id));
    assert.equal((await client.delete(`${url}/${id}`)).status, 404, String(id));
  }
  assert.deepEqual((await client.get(`/api/projects/${other.body.id}/lanes`)).body, elsewhere.body);
});

test("a lane's limit is set, cleared and left alone by a PATCH, and never rejects an issue", async () => {
  const made = await client.post(url, { name: "Review", kind: "doing", wip_limit: 1 });
  assert.equal(made.body.wip_limit, 1);
  const path = `${url}/${made.body.id}`;
  assert.equal((await client.patch(path, { name: "Test" })).body.wip_limit, 1);
  for (const title of ["One", "Two"]) {
    const issue = await client.post(`/api/projects/${projectId}/issues`, { title, lane_id: made.body.id });
    assert.equal(issue.status, 201, issue.text);
  }
  assert.equal((await client.patch(path, { wip_limit: 1_000 })).body.wip_limit, 1_000);
  assert.equal((await client.patch(path, { wip_limit: null })).body.wip_limit, null);
  for (const wip_limit of [0, -1, 1_001, 1.5, "3", true]) {
    assert.deepEqual(fieldsOf(await client.patch(path, { wip_limit })), ["wip_limit"], String(wip_limit));
    const refused = await client.post(url, { name: "X", kind: "todo", wip_limit });
    assert.deepEqual(fieldsOf(refused), ["wip_limit"], String(wip_limit));
  }
});

test("anyone with access to the project can read its lanes, and project:update is needed to change them", async () => {
  const member = await as(await makeMember(t.db, projectId, { role: "Member" }));
  const path = `${url}/${laneAt(0).id}`;
  assert.deepEqual((await member.get(url)).body.data, lanes);
  assert.equal((await member.post(url, { name: "X", kind: "todo" })).status, 403);
  assert.equal((await member.patch(path, { name: "X" })).status, 403);
  assert.equal((await member.delete(path)).status, 403);
  const token = t.http.as(await makeProjectToken(t.db, projectId, admin.id));
  assert.equal((await token.get(url)).status, 403);
  assert.equal((await token.post(url, { name: "X", kind: "todo" })).status, 403);
  const manager = await as(await makeMember(t.db, projectId, { role: "Manager" }));
  assert.equal((await manager.patch(path, { name: "X" })).status, 200);
});

test("the list is paged by cursor from left to right, and no cursor is too large", async () => {
  await client.patch(`${url}/${laneAt(3).id}`, { position: 0 });
  const first = await client.get(`${url}?limit=3`);
  assert.deepEqual(
    first.body.data.map((lane: LaneRow) => lane.name),
    ["Done", "Backlog", "To do"],
  );
  const second = await client.get(`${url}?limit=3&cursor=${first.body.meta.next_cursor}`);
  assert.deepEqual(
    second.body.data.map((lane: LaneRow) => lane.name),
    ["In progress"],
  );
  assert.equal(second.body.meta.next_cursor, null);
  const far = Buffer.from(String(Number.MAX_SAFE_INTEGER)).toString("base64url");
  assert.deepEqual((await client.get(`${url}?cursor=${far}`)).body.data, []);
});

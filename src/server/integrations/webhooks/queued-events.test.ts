import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { tellOfReleases } from "./tell-of-releases.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

let board: Awaited<ReturnType<typeof openBoard>>;
let webhooks: string;
beforeEach(async () => {
  board = await openBoard(t, workspace);
  webhooks = `${board.url}/webhooks`;
});

const hook = { url: "https://hooks.example.com/in", events: ["*"] };

type Queued = {
  type: string;
  sequence: number;
  actor: { id: number } | null;
  data: Record<string, unknown>;
  changes?: object;
  truncated?: string[];
};

async function subscribe(events = ["*"]): Promise<() => Promise<Queued[]>> {
  const { id } = (await board.admin.post(webhooks, { ...hook, events })).body;
  return async () => {
    const { data } = (await board.admin.get(`${webhooks}/${id}/deliveries`)).body;
    return data.toReversed().map(({ request }: { request: { body: string } }) => JSON.parse(request.body));
  };
}
const types = (queued: Queued[]) => queued.map(({ type }) => type);

test("an issue's events carry the issue as its GET route returns it, without what depends on the reader", async () => {
  const queued = await subscribe();
  const made = await board.admin.post(`${board.url}/issues`, { title: "Cart" });
  const [event] = await queued();
  const { watching: _, ...issue } = (await board.admin.get(`${board.url}/issues/${made.body.id}`)).body;
  assert.equal(event?.type, "issue.created");
  assert.deepEqual(event?.data, issue);
  assert.equal(event?.actor?.id, workspace.admin.id);
});

test("a change of several fields is one event with each field's former and new value", async () => {
  const { id } = (await board.admin.post(`${board.url}/issues`, { title: "Cart", description: "Old" })).body;
  const queued = await subscribe();
  await board.admin.patch(`${board.url}/issues/${id}`, { title: "Basket", description: "New", priority: 1 });
  const [event, ...others] = await queued();
  assert.deepEqual(others, []);
  assert.deepEqual(event?.changes, {
    title: { from: "Cart", to: "Basket" },
    description: { from: "Old", to: "New" },
    priority: { from: 2, to: 1 },
  });
});

test("a move to another lane is exactly one of moved, closed and reopened", async () => {
  const { id } = (await board.admin.post(`${board.url}/issues`, { title: "Cart" })).body;
  const lanes: { id: number; kind: string }[] = (await board.admin.get(`${board.url}/lanes`)).body.data;
  const lane = (kind: string) => lanes.find((one) => one.kind === kind)?.id;
  const queued = await subscribe();
  for (const kind of ["doing", "done", "todo", "todo"])
    await board.admin.patch(`${board.url}/issues/${id}`, { lane_id: lane(kind) });
  assert.deepEqual(types(await queued()), ["issue.moved", "issue.closed", "issue.reopened"]);
});

test("a change that changes nothing and a rejected request queue nothing", async () => {
  const { id } = (await board.admin.post(`${board.url}/issues`, { title: "Cart" })).body;
  const queued = await subscribe();
  await board.admin.patch(`${board.url}/issues/${id}`, { title: "Cart" });
  await board.admin.patch(`${board.url}/issues/${id}`, { title: "" });
  await board.admin.patch(`${board.url}/issues/${id}`, { title: "Basket", assignee_id: 999_999 });
  assert.deepEqual(await queued(), []);
});

test("a repeated Idempotency-Key queues the event once", async () => {
  const queued = await subscribe();
  for (let n = 0; n < 2; n++)
    await board.admin.send({
      method: "POST",
      url: `${board.url}/issues`,
      headers: { "content-type": "application/json", "idempotency-key": "once" },
      payload: JSON.stringify({ title: "Cart" }),
    });
  assert.deepEqual(types(await queued()), ["issue.created"]);
});

test("only the names, kinds and stars that a webhook lists are queued for it", async () => {
  const [named, kind, other] = [
    await subscribe(["issue.created"]),
    await subscribe(["issue.*"]),
    await subscribe(["report.*"]),
  ];
  const { id } = (await board.admin.post(`${board.url}/issues`, { title: "Cart" })).body;
  await board.admin.patch(`${board.url}/issues/${id}`, { title: "Basket" });
  assert.deepEqual(types(await named()), ["issue.created"]);
  assert.deepEqual(types(await kind()), ["issue.created", "issue.updated"]);
  assert.deepEqual(await other(), []);
});

test("webhooks of one event share its id and its sequence, which grows with each event", async () => {
  const [one, other] = [await subscribe(), await subscribe()];
  const { id } = (await board.admin.post(`${board.url}/issues`, { title: "Cart" })).body;
  await board.admin.patch(`${board.url}/issues/${id}`, { title: "Basket" });
  const [first, second] = [await one(), await other()];
  assert.deepEqual(first, second);
  assert.ok(first[0] && first[1] && first[1].sequence > first[0].sequence);
});

test("a deleted object is sent with its last state", async () => {
  const { id } = (await board.admin.post(`${board.url}/issues`, { title: "Cart" })).body;
  const epic = (await board.admin.post(`${board.url}/epics`, { title: "Checkout" })).body;
  const queued = await subscribe();
  await board.admin.delete(`${board.url}/issues/${id}`);
  await board.admin.delete(`${board.url}/epics/${epic.id}`);
  assert.deepEqual(
    (await queued()).map(({ type, data }) => [type, data["title"]]),
    [
      ["issue.deleted", "Cart"],
      ["epic.deleted", "Checkout"],
    ],
  );
});

test("long texts are cut to 4 KB, and the paths of what was cut are listed", async () => {
  const queued = await subscribe();
  await board.admin.post(`${board.url}/issues`, { title: "Cart", description: "é".repeat(3_000) });
  const [event] = await queued();
  assert.deepEqual(event?.truncated, ["data.description"]);
  assert.equal(event?.data["description"], "é".repeat(2_048));
});

test("reports, comments, epics, sprints and deploys queue their events", async () => {
  const queued = await subscribe();
  const report = (await board.admin.post(`${board.url}/reports`, { title: "Slow", description: "Very" }))
    .body;
  await board.admin.post(`${board.url}/reports/${report.id}/dismiss`, { category: "not-planned" });
  await board.admin.post(`${board.url}/reports/${report.id}/restore`);
  await board.admin.post(`${board.url}/reports/${report.id}/comments`, { content: "Why?" });
  await board.admin.delete(`${board.url}/reports/${report.id}`);
  const epic = (await board.admin.post(`${board.url}/epics`, { title: "Checkout" })).body;
  await board.admin.patch(`${board.url}/epics/${epic.id}`, { state: "done" });
  const sprint = (await board.admin.post(`${board.url}/sprints`, { name: "One" })).body;
  await board.admin.patch(`${board.url}/sprints/${sprint.id}`, { goal: "Ship" });
  await board.admin.post(`${board.url}/releases`, { version: "1.4.2" });
  await tellOfReleases(t.db, new AbortController().signal);
  assert.deepEqual(types(await queued()), [
    "report.created",
    "report.dismissed",
    "report.restored",
    "comment.created",
    "report.deleted",
    "epic.created",
    "epic.updated",
    "sprint.created",
    "sprint.updated",
    "release.deployed",
    "release.created",
  ]);
});

test("deleting a lane, a label and a sprint queues one event for each issue that changes", async () => {
  const label = (await board.admin.post(`${board.url}/labels`, { name: "ui", color: "#1f6feb" })).body;
  const sprint = (await board.admin.post(`${board.url}/sprints`, { name: "One" })).body;
  const lane = (await board.admin.post(`${board.url}/lanes`, { name: "Review", kind: "doing" })).body;
  const lanes: { id: number; kind: string }[] = (await board.admin.get(`${board.url}/lanes`)).body.data;
  const done = lanes.find(({ kind }) => kind === "done")?.id;
  const fields = { title: "Cart", label_ids: [label.id], sprint_id: sprint.id, lane_id: lane.id };
  for (let n = 0; n < 2; n++) await board.admin.post(`${board.url}/issues`, fields);
  const queued = await subscribe(["issue.*"]);
  await board.admin.delete(`${board.url}/labels/${label.id}`);
  await board.admin.delete(`${board.url}/sprints/${sprint.id}`);
  await board.admin.delete(`${board.url}/lanes/${lane.id}?move_to=${done}`);
  assert.deepEqual(
    (await queued()).map(({ type, changes }) => [type, changes]),
    [
      ["issue.updated", { label_ids: { from: [label.id], to: [] } }],
      ["issue.updated", { label_ids: { from: [label.id], to: [] } }],
      ["issue.updated", { sprint_id: { from: sprint.id, to: null } }],
      ["issue.updated", { sprint_id: { from: sprint.id, to: null } }],
      ["issue.closed", undefined],
      ["issue.closed", undefined],
    ],
  );
});

test("a workspace's webhook is told of all its projects and of no other workspace", async () => {
  const { id } = (await board.admin.post(`/api/workspaces/${workspace.id}/webhooks`, hook)).body;
  await board.admin.post(`${board.url}/issues`, { title: "Cart" });
  const other = await openBoard(t, await makeWorkspace(t.db));
  await other.admin.post(`${other.url}/issues`, { title: "Elsewhere" });
  const { data } = (await board.admin.get(`/api/workspaces/${workspace.id}/webhooks/${id}/deliveries`)).body;
  assert.deepEqual(
    data.map(({ request }: { request: { body: string } }) => JSON.parse(request.body).data.title),
    ["Cart"],
  );
});

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { openKeptEvents } from "../../../../test/support/kept-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { KeptEvent, ListedEvent } from "../../../shared/kept-events.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openKeptEvents(t, workspace);

test("an event shows everything that was sent, and its neighbors", async () => {
  const { send, read, sendMany, list } = await open();
  await sendMany(1, 1);
  const event_id = randomUUID();
  await send({
    message: "2",
    event_id,
    level: "warning",
    release: "1.2",
    host: "web-1",
    user_hash: "0123456789abcdef".repeat(4),
    stack_trace: "#0 /var/www/app/src/Checkout.php(12): Checkout->pay()\n#1 {main}",
    previous_exceptions: [{ exception_class: "Inner", message: "m", stack_trace: "t" }],
    context: { kind: "command", name: "import" },
    runtime: { name: "php", version: "8.4" },
    framework: { name: "laravel" },
  });
  await sendMany(3, 3);
  const [newest, middle, oldest] = (await list()).data as ListedEvent[];
  const event = await read(middle?.id ?? 0);
  const { received_at } = event;
  assert.match(received_at, /\+00:00$/);
  assert.deepEqual(event, {
    id: middle?.id,
    event_id: event_id.replaceAll("-", ""),
    error_group_id: event.error_group_id,
    received_at,
    level: "warning",
    release: "1.2",
    host: "web-1",
    user: "u_01234567",
    message: "2",
    stack_trace: "#0 /var/www/app/src/Checkout.php(12): Checkout->pay()\n#1 {main}",
    frames: [],
    previous_exceptions: [{ exception_class: "Inner", message: "m", stack_trace: "t" }],
    context: { kind: "command", name: "import", class: null },
    runtime: { name: "php", version: "8.4" },
    framework: { name: "laravel", version: null },
    tags: {},
    breadcrumbs: [],
    request: null,
    contexts: {},
    extra: {},
    truncated: [],
    removed: {},
    position: 2,
    previous_id: oldest?.id,
    next_id: newest?.id,
  });
  assert.deepEqual([(await read("latest")).id, (await read("oldest")).id], [newest?.id, oldest?.id]);
});

test("a kept event takes at most 128 KiB and says what was cut; the group keeps its whole trace", async () => {
  const { send, read, only, sendMany } = await open();
  const trace = "at run (app.js:1:1)\n".repeat(6_000);
  const previous = { exception_class: "P", message: "\u0001".repeat(20_000), stack_trace: "" };
  await send({ message: "short", stack_trace: trace, previous_exceptions: [previous, previous] });
  const check = (event: KeptEvent) => {
    assert.deepEqual(event.truncated.toSorted(), ["previous_exceptions", "stack_trace"]);
    assert.ok(Buffer.byteLength(JSON.stringify(event)) <= 128 * 1024);
    assert.ok(trace.startsWith(event.stack_trace) && event.stack_trace.length > 10_000);
  };
  check(await read("latest"));
  assert.equal((await only()).latest_stack_trace, trace);
  await sendMany(2, 2, { stack_trace: trace });
  check(await read("oldest"));
});

test("lists filter by release, host and user, and continue after a cursor", async () => {
  const { sendMany, send, messages, list, url, admin } = await open();
  await sendMany(1, 3, { release: "1", host: "a" });
  await send({ message: "4", release: "2", host: "a", user_hash: "ab".repeat(32) });
  assert.deepEqual(await messages("?release=1"), ["3", "2", "1"]);
  assert.deepEqual(await messages("?host=a&user=u_abababab"), ["4"]);
  assert.deepEqual(await messages("?host=b"), []);
  const first = await list("?limit=3");
  assert.deepEqual(await messages(`?limit=3&cursor=${first.meta.next_cursor}`), ["1"]);
  assert.equal((await list("?limit=4")).meta.next_cursor, null);
  assert.equal((await admin.get(`${await url()}/events?tag=nothing`)).status, 422);
});

test("an event is found by the client's id, even after it was dropped, but not in another project", async () => {
  const { sendMany, send, admin, id, only, read, report } = await open();
  const ids = [randomUUID(), randomUUID()];
  await sendMany(1, 10);
  for (const event_id of ids) await send({ event_id });
  const find = async (project: TestProject | { id: number }, eventId: string) =>
    (await admin.get(`/api/projects/${project.id}/events/${eventId}`)).body;
  const group = (await only()).id;
  assert.deepEqual(await find({ id }, ids[0] as string), { error_group_id: group, id: null });
  assert.deepEqual(await find({ id }, (ids[1] as string).replaceAll("-", "")), {
    error_group_id: group,
    id: (await read("latest")).id,
  });
  assert.deepEqual(await report(ids[0] as string), [group], "a report is linked to the group");
  assert.equal((await only()).kept_events_count, 11);
  const other = await openProject(t, workspace);
  for (const [project, eventId] of [
    [other, ids[1] as string],
    [{ id }, randomUUID()],
    [{ id }, "1"],
  ] as const)
    assert.equal((await admin.get(`/api/projects/${project.id}/events/${eventId}`)).status, 404);
});

test("events of another group, of another project or without a valid id are 404", async () => {
  const [one, other] = [await open(), await open()];
  for (const { sendMany } of [one, other]) await sendMany(1, 1);
  const { id } = await other.read("latest");
  for (const which of [id, 0, "first", "1e3", "9".repeat(20)])
    assert.equal((await one.admin.get(`${await one.url()}/events/${which}`)).status, 404, String(which));
  assert.equal((await one.admin.get(`${one.groups}/${(await other.only()).id}/events`)).status, 404);
});

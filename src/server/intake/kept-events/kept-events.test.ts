import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { hashOf } from "../../../../test/support/error-events.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { KeptEvent, ListedEvent } from "../../../shared/kept-events.ts";
import { keepForFeedback } from "./keep-for-feedback.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** A project whose events belong to one group. */
async function open() {
  const project = await openProject(t, workspace);
  const url = async () => `${project.groups}/${(await project.only()).id}`;
  const list = async (query = "") => (await project.admin.get(`${await url()}/events${query}`)).body;
  const messages = async (query = "?limit=200") =>
    ((await list(query)).data as ListedEvent[]).map(({ message }) => message);
  const read = async (which: string | number) =>
    (await project.admin.get(`${await url()}/events/${which}`)).body as KeptEvent;
  /** Sends events with the messages `from` to `to`, one after the other. */
  const sendMany = async (from: number, to: number, overrides: object = {}) => {
    for (let n = from; n <= to; n++) await project.send({ message: `${n}`, ...overrides });
  };
  /** As if the last event had been kept this long ago. */
  const wait = (seconds: number) =>
    sql`update error_groups set last_kept_at = last_kept_at - make_interval(secs => ${seconds})
      where project_id = ${project.id}`.execute(t.db);
  return { ...project, url, list, messages, read, sendMany, wait };
}

const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => `${from - n}`);

test("the first ten events are kept, and of later ones in the same minute the newest", async () => {
  const { messages, sendMany, only } = await open();
  await sendMany(1, 15);
  assert.deepEqual(await messages(), ["15", ...down(10, 1)]);
  const { occurrence_count, kept_events_count } = await only();
  assert.deepEqual([occurrence_count, kept_events_count], [15, 11]);
});

test("after the first ten, one event per minute is kept", async () => {
  const { messages, sendMany, wait } = await open();
  await sendMany(1, 10);
  await wait(59);
  await sendMany(11, 12);
  await wait(2);
  await sendMany(13, 15);
  await wait(60);
  await sendMany(16, 18);
  assert.deepEqual(await messages(), ["18", "16", "13", ...down(10, 1)]);
});

test("the newest event of each release is kept, also of no release", async () => {
  const { messages, sendMany, send } = await open();
  await sendMany(1, 10, { release: "1" });
  for (const [n, release] of ["1", "2", "1", "2", null, "2", null, "3"].entries())
    await send({ message: `${n + 11}`, release });
  assert.deepEqual(await messages(), ["18", "17", "16", "13", ...down(10, 1)]);
});

test("a group keeps at most 100 events; the oldest in between are dropped first", async () => {
  const { messages, sendMany, wait, send, id } = await open();
  await sendMany(1, 10);
  const event_id = randomUUID();
  await send({ message: "feedback", event_id });
  assert.ok((await keepForFeedback(t.db, id, event_id)) !== undefined);
  await send({ message: "old release", release: "1" });
  for (let n = 13; n <= 110; n++) {
    await wait(60);
    await send({ message: `${n}` });
  }
  const kept = await messages();
  assert.equal(kept.length, 100);
  assert.deepEqual(kept, [...down(110, 23), "old release", "feedback", ...down(10, 1)]);
});

test("a group keeps at most 100 events even if each is of a release of its own", async () => {
  const { messages, sender, events, sendMany, only } = await open();
  await sendMany(1, 1);
  await Promise.all(
    Array.from({ length: 150 }, (_, n) =>
      sender.post(events, {
        environment: "production",
        exception_class: "RuntimeException",
        stack_trace: "#0 /var/www/app/src/Checkout.php(12): Checkout->pay()\n#1 {main}",
        message: `${n + 2}`,
        release: `1.${n}`,
      }),
    ),
  );
  const kept = await messages();
  const { occurrence_count, kept_events_count } = await only();
  assert.deepEqual([kept_events_count, occurrence_count], [kept.length, 151]);
  assert.ok(kept.length > 80 && kept.length <= 100, String(kept.length));
  assert.equal(kept.at(-1), "1");
});

test("events that arrive together are kept in the order of arrival, each with its own fields", async () => {
  const { sender, events, read, messages } = await open();
  const bodies = Array.from({ length: 8 }, (_, n) => ({
    environment: "production",
    exception_class: "E",
    stack_trace: "at run (app.js:1:1)",
    message: `${n}`,
    host: `web-${n}`,
    user_hash: hashOf(n).replace(/^0{8}/, `${n}`.repeat(8)),
  }));
  await Promise.all(bodies.map((body) => sender.post(events, body)));
  const kept = await messages();
  assert.equal(kept.length, 8);
  const event = await read("oldest");
  assert.deepEqual(
    [event.host, event.user, event.previous_id],
    [`web-${event.message}`, `u_${event.message.repeat(8)}`, null],
  );
});

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

test("an event is found by the client's id, also after it was dropped, but not in another project", async () => {
  const { sendMany, send, admin, id, only, read } = await open();
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
  assert.equal(await keepForFeedback(t.db, id, ids[0] as string), group, "feedback is linked to the group");
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

test("what an event has besides its fields is kept without personal data, cut to its limits, and listed as tags", async () => {
  const { send, read, url, messages, admin, only } = await open();
  const tags = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`tag${n}`, "x".repeat(300)]));
  await send({
    message: "mail ada@example.com",
    tags: { plan: "pro", locale: "en", ...tags },
    breadcrumbs: Array.from({ length: 120 }, (_, n) => ({
      timestamp: n,
      message: `step ${n}`,
      data: { password: "x" },
    })),
    request: {
      method: "POST",
      path: "/pay?card=4111111111111111",
      headers: { Cookie: "a=b", "User-Agent": "curl/8", Authorization: "Bearer abc" },
    },
    contexts: { os: { name: "Linux" }, deep: JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`) },
    extra: { to: "ada@example.com", className: "kept", api_key: "1234" },
    frames: [
      {
        function: "pay",
        filename: "pay.js",
        line: 3,
        in_app: true,
        vars: { cart: 1 },
        context_line: "pay()",
      },
    ],
  });
  const event = await read("latest");
  assert.equal(Object.keys(event.tags).length, 50);
  assert.deepEqual([event.tags["plan"], event.tags["tag1"]?.length], ["pro", 200]);
  assert.deepEqual(
    [event.breadcrumbs.length, event.breadcrumbs[0]?.message, event.breadcrumbs[0]?.data],
    [100, "step 20", { password: "[removed: password]" }],
  );
  assert.deepEqual([event.request?.method, event.request?.path], ["POST", "/pay"]);
  assert.deepEqual(Object.values(event.request?.headers ?? {}), ["curl/8"]);
  assert.deepEqual(event.extra, {
    to: "[removed: email]",
    className: "kept",
    api_key: "[removed: api_key]",
  });
  assert.deepEqual(event.frames, [
    { function: "pay", filename: "pay.js", line: 3, in_app: true, context_line: "pay()" },
  ]);
  assert.deepEqual([event.removed["password"], event.removed["email"]], [100, 1]);
  // The message is stored as sent.
  assert.equal(event.message, "mail ada@example.com");
  assert.equal((await only()).latest_message, "mail ada@example.com");
  for (const locale of ["en", "de", "en"]) await send({ message: locale, tags: { locale } });
  assert.deepEqual(await messages("?tag=locale:en"), ["en", "en", "mail ada@example.com"]);
  const listed = (await admin.get(`${await url()}/tags`)).body;
  assert.deepEqual(listed[0], {
    key: "locale",
    events: 4,
    values: [
      { value: "en", count: 3, share: 0.75 },
      { value: "de", count: 1, share: 0.25 },
    ],
  });
});

test("the tags have up to 20 values of each key, the most frequent ones first", async () => {
  const { send, url, admin } = await open();
  for (let n = 0; n <= 21; n++)
    await send({ release: `1.${n}`, tags: { shop: `${Math.max(n, 1)}`, ["k".repeat(300)]: "x" } });
  const [shop, long] = (await admin.get(`${await url()}/tags`)).body.toSorted(
    (a: { values: unknown[] }, b: { values: unknown[] }) => b.values.length - a.values.length,
  );
  assert.deepEqual([shop.events, shop.values.length], [22, 20]);
  assert.deepEqual(shop.values[0], { value: "1", count: 2, share: 2 / 22 });
  assert.equal(long.key, "k".repeat(200));
});

test("additions of a wrong type are dropped, and the event is stored", async () => {
  const { send, read } = await open();
  for (const wrong of [1, "text", null, [], [null, 1, [[]]], { a: null, b: [1], c: {} }, true]) {
    await send({
      tags: wrong,
      breadcrumbs: wrong,
      request: wrong,
      contexts: wrong,
      extra: wrong,
      frames: wrong,
    });
    assert.equal((await read("latest")).level, "error");
  }
});

test("an event with large additions is cut to 128 KiB, the largest parts first", async () => {
  const { send, read } = await open();
  const extra = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`key${n}`, "é".repeat(2_000)]));
  await send({ tags: { plan: "pro" }, extra, contexts: { os: { name: "Linux" } } });
  const event = await read("latest");
  assert.ok(Buffer.byteLength(JSON.stringify(event)) <= 128 * 1024);
  assert.deepEqual(event.truncated, ["extra"]);
  assert.ok(Object.keys(event.extra).length > 5);
  assert.deepEqual([event.tags, event.contexts], [{ plan: "pro" }, { os: { name: "Linux" } }]);
});

test("variables of frames are kept without personal data once the project enables it, also of large events", async () => {
  const { send, read, admin, id } = await open();
  const frames = [{ function: "pay", vars: { cart: 7, password: "hunter2" } }];
  await send({ frames });
  assert.deepEqual((await read("latest")).frames, [{ function: "pay" }]);
  assert.equal((await admin.patch(`/api/projects/${id}`, { keep_vars: true })).status, 200);
  const vars = { cart: 7, password: "[removed: password]" };
  // Other processes, and this one, may use the old setting for a second.
  await eventually(async () => {
    await send({ frames });
    return (await read("latest")).frames;
  }, [{ function: "pay", vars }]);
  await send({ frames, contexts: { large: Array.from({ length: 500 }, () => "x".repeat(1_500)) } });
  assert.deepEqual((await read("latest")).frames, [{ function: "pay", vars }]);
});

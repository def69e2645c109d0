import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../../../test/support/eventually.ts";
import { openKeptEvents } from "../../../../test/support/kept-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openKeptEvents(t, workspace);

test("the additions of an event are kept without personal data, cut to their limits, and listed as tags", async () => {
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

test("an event names the parts in which something is too long or nested too deeply", async () => {
  const { send, read } = await open();
  const truncated = async (additions: Record<string, unknown>) => {
    await send(additions);
    return (await read("latest")).truncated;
  };
  const text = "x".repeat(20_000);
  assert.deepEqual(await truncated({ extra: { a: { b: text } }, contexts: { os: { name: "Linux" } } }), [
    "extra",
  ]);
  assert.deepEqual(await truncated({ contexts: { app: Array.from({ length: 501 }, () => 1) } }), [
    "contexts",
  ]);
  assert.deepEqual(await truncated({ extra: JSON.parse(`${'{"a":'.repeat(12)}1${"}".repeat(12)}`) }), [
    "extra",
  ]);
  for (const breadcrumb of [{ message: text }, { data: { text } }])
    assert.deepEqual(await truncated({ breadcrumbs: [breadcrumb, breadcrumb] }), ["breadcrumbs"]);
  assert.deepEqual(await truncated({ extra: { a: "x\0y" }, breadcrumbs: [{ message: "step" }] }), []);
});

test("breadcrumbs that are not objects do not count among the newest hundred", async () => {
  const { send, read } = await open();
  await send({
    breadcrumbs: [...Array.from({ length: 101 }, (_, n) => ({ message: `${n}` })), "x", 7, null],
  });
  const { breadcrumbs } = await read("latest");
  assert.deepEqual([breadcrumbs.length, breadcrumbs[0]?.message], [100, "1"]);
});

test("personal data at the end of a tag is removed before the tag is cut", async () => {
  const { send, read } = await open();
  await send({ tags: { mail: `${"x ".repeat(94)}grace.hopper@example.com` } });
  assert.doesNotMatch((await read("latest")).tags["mail"] ?? "", /grace/);
});

test("a long text is cut before the word at its limit, so that no half of an address is kept", async () => {
  const { send, read } = await open();
  const upTo = (limit: number) => `${"x ".repeat(limit / 2 - 8)}grace.hopper@example.com`;
  await send({ extra: { note: upTo(16_384) }, breadcrumbs: [{ message: upTo(8_192) }] });
  const { extra, breadcrumbs } = await read("latest");
  assert.equal(extra["note"], "x ".repeat(8_184));
  assert.equal(breadcrumbs[0]?.message, "x ".repeat(4_088));
});

test("no half of an address is kept at the limit of a breadcrumb's names, of a request and of a frame", async () => {
  const { send, read } = await open();
  const upTo = (limit: number) => `${"x ".repeat(Math.floor(limit / 2) - 8)}grace.hopper@example.com`;
  await send({
    breadcrumbs: [{ category: upTo(255), level: upTo(255), type: upTo(255) }],
    request: {
      method: upTo(255),
      path: `/${"x".repeat(1_980)}/grace.hopper@example.com`,
      headers: { "User-Agent": upTo(2_000), Referer: `https://a.example/${upTo(1_980)}` },
    },
    frames: [
      {
        function: upTo(1_000),
        filename: upTo(1_000),
        context_line: upTo(1_000),
        pre_context: [upTo(1_000)],
        post_context: [upTo(1_000)],
      },
    ],
  });
  const { breadcrumbs, request, frames } = await read("latest");
  assert.doesNotMatch(JSON.stringify([breadcrumbs, request, frames]), /grace/);
  assert.equal(breadcrumbs[0]?.category, "x ".repeat(119));
  assert.equal(frames[0]?.context_line, "x ".repeat(492));
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

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeIngestKey, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { eventEnvelope } from "../../../../test/support/sentry.ts";
import { frame, recorded, thrown } from "../../../../test/support/sentry-events.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { EventAdditions } from "./event-additions.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const ID = "14b12530-3b5a-5d88-8ef4-ecedc0e0c81e";
const APP = "https://shop.example/assets/app.js";
const image = (code_file: unknown = APP, debug_id: unknown = ID, type: unknown = "sourcemap") => ({
  type,
  code_file,
  debug_id,
});
const withImages = (event: object, ...images: unknown[]) => ({ ...event, debug_meta: { images } });
const inApp = (file = APP) => thrown(frame("main", file), frame("pay", file));

async function open() {
  const project = await openProject(t, workspace);
  const key = await makeIngestKey(t.db, project.id);
  const newest = async () => {
    const { additions, id } = await t.db
      .selectFrom("kept_events")
      .select(["additions", "id"])
      .where(
        "group_id",
        "in",
        t.db.selectFrom("error_groups").select("id").where("project_id", "=", project.id),
      )
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    return { id, additions: additions === null ? null : (JSON.parse(additions) as Partial<EventAdditions>) };
  };
  const images = async () => (await newest()).additions?.debug_images;
  return {
    ...project,
    newest,
    /** Sends an event as a Sentry SDK does and returns the debug images that are kept. */
    sentry: async (event: object) => {
      const url = `/api/${project.id}/envelope/?sentry_key=${key}`;
      const answer = await t.http.send({ method: "POST", url, payload: eventEnvelope(event) });
      assert.equal(answer.status, 200, answer.text);
      return images();
    },
    native: async (overrides: Record<string, unknown>) => {
      await project.send(overrides);
      return images();
    },
  };
}

test("an event of Sentry's browser SDK keeps the debug ids of the files that its frames name", async () => {
  const { sentry } = await open();
  const [event] = recorded("browser-10.78.0.json");
  const file = "/srv/app/cap/browser-app.cjs";
  assert.deepEqual(
    await sentry(withImages(event ?? assert.fail(), image(file), image("/srv/app/cap/other.cjs"))),
    [{ code_file: file, debug_id: ID }],
  );
});

test("an event without debug_meta is stored without debug_images", async () => {
  const { sentry } = await open();
  const [event] = recorded("browser-10.78.0.json");
  assert.equal(await sentry(event ?? assert.fail()), undefined);
  assert.equal(await sentry(withImages(inApp("/srv/other.js"), image())), undefined);
});

test("a debug id is stored in lower case with dashes, and a file without query and fragment", async () => {
  const { sentry } = await open();
  const sent = image(`${APP}?v=2#top`, ID.replaceAll("-", "").toUpperCase());
  assert.deepEqual(await sentry(withImages(inApp(`${APP}?v=1`), sent)), [{ code_file: APP, debug_id: ID }]);
});

test("a frame's abs_path names a file, too", async () => {
  const { sentry } = await open();
  const event = thrown(frame("pay", "app:///app.js", { abs_path: "/srv/dist/app.js" }));
  assert.deepEqual(await sentry(withImages(event, image("/srv/dist/app.js"))), [
    { code_file: "/srv/dist/app.js", debug_id: ID },
  ]);
});

test("events with the same stack trace keep the debug ids of their own builds", async () => {
  const { sentry } = await open();
  for (const last of "0123") {
    const debug_id = ID.slice(0, -1) + last;
    assert.deepEqual(await sentry(withImages(inApp(), image(APP, debug_id))), [{ code_file: APP, debug_id }]);
  }
  assert.equal(await sentry(inApp()), undefined);
});

test("debug images of a wrong type are dropped, and the event is stored", async () => {
  const { sentry, native } = await open();
  const trace = `    at pay (${APP}:1:2)`;
  const wrong = [
    null,
    "text",
    [],
    {},
    image(APP, ID, "macho"),
    image(1),
    image(""),
    image(APP, 1),
    image(APP, "a1b2"),
    image(APP, "00000000-0000-0000-0000-000000000000"),
  ];
  for (const debug_meta of [null, 1, [], { images: 1 }, { images: {} }, { images: wrong }]) {
    assert.equal(await sentry({ ...inApp(), debug_meta }), undefined);
    assert.equal(await native({ stack_trace: trace, debug_meta }), undefined);
  }
  assert.deepEqual(await sentry(withImages(inApp(), ...wrong, image())), [{ code_file: APP, debug_id: ID }]);
});

test("an event has at most 200 debug images", async () => {
  const { sentry } = await open();
  const files = Array.from({ length: 250 }, (_, n) => `/srv/chunk-${n}.js`);
  const event = thrown(...files.map((file) => frame("load", file)));
  const images = await sentry(withImages(event, ...files.map((file) => image(file))));
  assert.equal(images?.length, 200);
});

test("personal data is removed from the names of files as from frames, and counted once", async () => {
  const { sentry, newest } = await open();
  const file = "https://shop.example/ada@example.com/app.js";
  assert.deepEqual(await sentry(withImages(thrown(frame("pay", file)), image(file))), [
    { code_file: "https://shop.example/[removed: email]/app.js", debug_id: ID },
  ]);
  const { additions } = await newest();
  assert.equal(additions?.frames?.[0]?.filename, "https://shop.example/[removed: email]/app.js");
  assert.deepEqual(additions?.removed, { email: 1 });
});

test("debug images stay when an event that is too large is cut", async () => {
  const { sentry, newest } = await open();
  const lines = Array.from({ length: 10 }, () => "x".repeat(900));
  const frames = Array.from({ length: 40 }, () => frame("pay", APP, { pre_context: lines }));
  const extra = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, "x".repeat(5_000)]));
  assert.deepEqual(await sentry(withImages({ ...thrown(...frames), extra }, image())), [
    { code_file: APP, debug_id: ID },
  ]);
  const { additions } = await newest();
  assert.deepEqual(additions?.truncated, ["extra", "frames"]);
  assert.ok(JSON.stringify(additions).length <= 128 * 1024);
});

test("a large event, which a worker reads, keeps its debug images", async () => {
  const { sentry } = await open();
  const event = { ...inApp(), extra: { text: "x".repeat(200_000) } };
  assert.deepEqual(await sentry(withImages(event, image())), [{ code_file: APP, debug_id: ID }]);
});

test("a native event keeps the debug ids of files that the text of its trace names, or its frames", async () => {
  const { native } = await open();
  const stack_trace = `    at pay (${APP}:1:20817)\n    at https://shop.example/main.js:1:2`;
  const main = image("https://shop.example/main.js");
  const other = image("https://shop.example/other.js");
  const images = [image(), main, other];
  assert.deepEqual(
    await native({ stack_trace, debug_meta: { images } }),
    [image(), main].map(({ code_file, debug_id }) => ({ code_file, debug_id })),
  );
  const frames = [{ function: "pay", filename: "https://shop.example/other.js" }];
  assert.deepEqual(await native({ stack_trace: "no frame", frames, debug_meta: { images } }), [
    { code_file: "https://shop.example/other.js", debug_id: ID },
  ]);
});

test("a kept event is answered without its debug images", async () => {
  const { sentry, groups, admin, only, newest } = await open();
  await sentry(withImages(inApp(), image()));
  const answer = await admin.get(`${groups}/${(await only()).id}/events/${(await newest()).id}`);
  assert.equal(answer.status, 200);
  assert.equal("debug_images" in answer.body, false);
});

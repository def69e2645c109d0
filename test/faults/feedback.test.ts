import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { openFeedback } from "../support/feedback.ts";
import { blankPng, noise } from "../support/images.ts";
import { openTestApp, useTestApp } from "../support/test-app.ts";

const t = await useTestApp({ TRUST_PROXY: "127.0.0.1" });

const SHOP = "https://shop.example.com";
const visitor = (n: number) => ({ headers: { "x-forwarded-for": `10.9.${n >> 8}.${n & 255}` } });

test("a flood of feedback gets 429 that pages can read, and errors with the same key are stored", async () => {
  const limited = await openTestApp({
    TRUST_PROXY: "127.0.0.1",
    LIMIT_FEEDBACK_ADDRESS: "3",
    LIMIT_FEEDBACK_KEY: "5",
  });
  const p = await openFeedback(limited);
  const flood = (n: number) =>
    p.send({ description: "Flood" }, { origin: SHOP, headers: visitor(n).headers });
  const ofOne = await Promise.all(Array.from({ length: 20 }, () => flood(1)));
  assert.equal(ofOne.filter(({ status }) => status === 201).length, 3);
  const ofMany = await Promise.all(Array.from({ length: 20 }, (_, n) => flood(n + 2)));
  assert.equal(ofMany.filter(({ status }) => status === 201).length, 2);
  for (const { status, headers } of [...ofOne, ...ofMany].filter((answer) => answer.status !== 201)) {
    assert.equal(status, 429);
    assert.ok(Number(headers["retry-after"]) > 0);
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.match(String(headers["access-control-expose-headers"]), /retry-after/);
  }
  const event = await limited.http.as(p.ingestKey).post(`/api/projects/${p.id}/error-events`, anEvent());
  assert.equal(event.status, 202);
  assert.equal((await p.list()).length, 5);
  await limited.close();
});

test("markup in every field is stored as it was sent, and answers are JSON", async () => {
  const p = await openFeedback(t);
  const markup = "<script>alert(1)</script><img src=x onerror=alert(1)>";
  const texts = {
    title: markup,
    description: `${markup}\n[link](javascript:alert(1))`,
    author_name: markup,
    release: markup,
    environment: markup,
    viewport: markup,
    language: markup,
  };
  const sent = await p.send({ ...texts, tags: { [markup]: markup } });
  assert.equal(sent.status, 201);
  assert.match(String(sent.headers["content-type"]), /^application\/json/);
  const [report] = await p.list();
  assert.ok(report?.origin);
  const { title, description, author_name, origin } = report;
  const { release, environment, viewport, language } = origin;
  assert.deepEqual({ title, description, author_name, release, environment, viewport, language }, texts);
  assert.deepEqual(origin.tags, { [markup]: markup });
});

test("a blank image of 50 megapixels is converted or refused", async () => {
  const p = await openFeedback(t);
  const huge = { name: "files[0]", filename: "huge.png", content: blankPng(10_000, 5_000) };
  const { status } = await p.upload([{ name: "description", value: "Hello" }, huge]);
  assert.ok([201, 422].includes(status), String(status));
});

test("errors are stored while visitors send five images each", async () => {
  const p = await openFeedback(t);
  const other = await openFeedback(t);
  const image = await noise(1_000, 1_000).png({ compressionLevel: 0 }).toBuffer();
  assert.ok(image.length > 2_900_000 && image.length <= 3 * 1_048_576, String(image.length));
  const files = Array.from({ length: 5 }, (_, n) => ({
    name: `files[${n}]`,
    filename: `${n}.png`,
    content: image,
  }));
  let unfinished = 6;
  const uploads = Array.from({ length: unfinished }, async (_, n) => {
    const answer = await p.upload([{ name: "description", value: `Visitor ${n}` }, ...files], visitor(n));
    unfinished--;
    return answer;
  });
  for (const project of [p, other])
    for (let n = 0; n < 5; n++) {
      const sender = t.http.as(project.ingestKey);
      const { status } = await sender.post(`/api/projects/${project.id}/error-events`, anEvent());
      assert.equal(status, 202);
    }
  // Converting 30 images takes longer than storing 10 events one after the other, unless events wait for images.
  assert.ok(unfinished > 0);
  const answers = await Promise.all(uploads);
  const accepted = answers.filter(({ status }) => status === 201);
  // Images that would wait for too long are refused, and may be sent again.
  const later = answers.filter(({ status, headers }) => status === 503 && Number(headers["retry-after"]) > 0);
  assert.ok(accepted.length > 0);
  assert.equal(accepted.length + later.length, answers.length);
  assert.equal((await p.list()).length, accepted.length);
});

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeEach, test } from "node:test";
import { refusalOf } from "../../../../test/support/client.ts";
import { openFeedback, type FeedbackProject } from "../../../../test/support/feedback.ts";
import { png } from "../../../../test/support/images.ts";
import { MULTIPART, multipart } from "../../../../test/support/multipart.ts";
import { openTestApp, useTestApp } from "../../../../test/support/test-app.ts";

let p: FeedbackProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openFeedback(t);
});

const image = await png();
const description = { name: "description", value: "Hello" };
const file = (n: number, content: Buffer | string = image) => ({
  name: `files[${n}]`,
  filename: `${n}.png`,
  content,
});

test("feedback as multipart has its images in their order, and tags as a field of JSON", async () => {
  const sent = await p.upload([
    file(1, await png(20, 20)),
    description,
    { name: "kind", value: "idea" },
    { name: "tags", value: '{"plan":"pro"}' },
    file(0, await png(10, 10)),
  ]);
  assert.equal(sent.status, 201, sent.text);
  const [report] = await p.list();
  assert.deepEqual(
    [report?.kind, report?.origin?.tags, report?.attachments_count],
    ["idea", { plan: "pro" }, 2],
  );
  const { body } = await p.admin.get(`${p.of(sent.body)}/attachments`);
  assert.deepEqual(
    body.map((row: { filename: string; user_id: number | null }) => [row.filename, row.user_id]),
    [
      ["0.webp", null],
      ["1.webp", null],
    ],
  );
});

test("invalid fields, tags that are not JSON, and wrong files return 422 together, and store nothing", async () => {
  const sent = await p.upload([
    { name: "kind", value: "praise" },
    { name: "tags", value: "{" },
    { ...file(0), filename: "a.html" },
  ]);
  assert.deepEqual(refusalOf(sent), [422, "description", "files.0", "kind", "tags"]);
  const six = Array.from({ length: 6 }, (_, n) => file(n));
  assert.deepEqual(refusalOf(await p.upload([description, ...six])), [422, "files"]);
  assert.deepEqual(refusalOf(await p.upload([description, file(0, "no image")])), [422, "files.0"]);
  const large = file(3, Buffer.alloc(3 * 1_048_576 + 1));
  assert.deepEqual(refusalOf(await p.upload([description, large])), [422, "files.3"]);
  assert.deepEqual(await p.list(), []);
});

test("sending the same fields and files again with an Idempotency-Key is one report, whatever the boundary", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const name = { name: "author_name", value: "Kim" };
  const first = await p.upload([description, name, file(0)], { headers });
  assert.equal(first.status, 201);
  const boundary = MULTIPART.slice(MULTIPART.indexOf("=") + 1);
  const again = await t.http.send({
    method: "POST",
    url: p.url,
    payload: Buffer.from(
      multipart([name, description, file(0)])
        .toString("latin1")
        .replaceAll(boundary, "another"),
      "latin1",
    ),
    headers: {
      ...headers,
      authorization: `Bearer ${p.ingestKey}`,
      "content-type": "multipart/form-data; boundary=another",
    },
  });
  assert.deepEqual([again.status, again.body], [201, first.body]);
  const other = await p.upload([description, name, file(0, await png(9, 9))], { headers });
  assert.deepEqual(refusalOf(other), [422, "idempotency-key"]);
  assert.equal((await p.list()).length, 1);
});

test("once the project's storage of the day is full, feedback has no images and a short text", async () => {
  const small = await openTestApp({ PROJECT_EVENT_STORAGE_MB: "1" });
  const project = await openFeedback(small);
  for (let n = 0; n < 6; n++)
    assert.equal((await project.send({ description: "é".repeat(65_535), title: `${n}` })).status, 201);
  const text = "x".repeat(65_535);
  for (let n = 0; n < 6; n++)
    assert.equal((await project.send({ description: text, title: `${n}` })).status, 201);
  const sent = await project.upload([{ ...description, value: text }, file(0)]);
  assert.equal(sent.status, 201);
  const report = (await project.list()).at(-1);
  assert.deepEqual([report?.attachments_count, report?.description.length], [0, 2_048]);
  await small.close();
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { rowKeys, storedKeys, temporaryFiles } from "../../../test/support/files.ts";
import { bmp, gif, png } from "../../../test/support/images.ts";
import { upload, type Part } from "../../../test/support/multipart.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

const text = [
  { name: "title", value: "Broken – 壊れた" },
  { name: "description", value: "Two\nlines" },
];
const file = (place: number | string, filename: string, content: Buffer): Part => ({
  name: `files[${place}]`,
  filename,
  content,
});
const create = (parts: Part[]) => upload(p.token, p.reports, parts);

async function assertNothingStored() {
  assert.deepEqual(await p.list(), []);
  assert.deepEqual(await storedKeys(t), await rowKeys(t));
  assert.deepEqual(await temporaryFiles(t), []);
}

test("a report can include up to five images, which become its attachments in the order of their numbers", async () => {
  const image = await png();
  const answer = await create([
    file(3, "four.png", image),
    ...text,
    { name: "author_name", value: "Jo" },
    file(0, "one.png", image),
    file(1, "two.bmp", bmp(10, 10)),
    file(2, "three.gif", await gif(3)),
    file(4, "five.png", image),
  ]);
  assert.equal(answer.status, 201, answer.text);
  const { title, description, author_name, source, attachments_count } = answer.body;
  assert.deepEqual([title, description, author_name], ["Broken – 壊れた", "Two\nlines", "Jo"]);
  assert.deepEqual([source, attachments_count], [1, 5]);
  const list = (await p.admin.get(`${p.of(answer.body)}/attachments`)).body as {
    filename: string;
    user_id: number;
  }[];
  assert.deepEqual(
    list.map((attachment) => attachment.filename),
    ["one.webp", "two.webp", "three.webp", "four.webp", "five.webp"],
  );
  // Files sent with a project token belong to its creator.
  for (const { user_id } of list) assert.equal(user_id, p.adminUser.id);
  assert.deepEqual(await temporaryFiles(t), []);
});

test("multipart without a file creates a report", async () => {
  const answer = await create(text);
  assert.deepEqual([answer.status, answer.body.attachments_count, answer.body.author_name], [201, 0, null]);
});

test("a sixth file returns 422 on files, and nothing is stored", async () => {
  const image = await png();
  const answer = await create([...text, ...Array.from({ length: 6 }, (_, n) => file(n, "a.png", image))]);
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body.errors, { files: ["must be at most 5 files"] });
  await assertNothingStored();
});

test("an image of 3 MB is accepted, one byte more returns 422 on its index", async () => {
  const limit = 3 * 1_048_576;
  const image = bmp(1_000, 1_000);
  const exactly = Buffer.concat([image, Buffer.alloc(limit - image.length)]);
  const taken = await create([...text, file(0, "a.bmp", exactly)]);
  assert.equal(taken.status, 201, taken.text);
  await p.admin.delete(p.of(taken.body));
  const answer = await create([
    ...text,
    file(0, "a.png", await png()),
    file(1, "b.bmp", Buffer.concat([exactly, Buffer.alloc(1)])),
  ]);
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body.errors, { "files.1": ["must be at most 3 MB"] });
  await assertNothingStored();
});

test("a file that is not an image returns 422 on its index, together with the errors of the fields", async () => {
  const answer = await create([
    { name: "title", value: " " },
    file(0, "a.pdf", Buffer.from("%PDF-1.4")),
    file(1, "a.png", await png()),
    file("", "noextension", await png()),
  ]);
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.body.errors).sort(), ["description", "files.0", "files.2", "title"]);
  await assertNothingStored();
});

test("if one of several images is damaged, none is stored", async () => {
  const image = await png();
  const answer = await create([
    ...text,
    file(0, "a.png", image),
    file(1, "b.png", image.subarray(0, 90)),
    file(2, "c.jpg", image),
  ]);
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.body.errors), ["files.1", "files.2"]);
  await assertNothingStored();
});

test("the length limits of JSON apply to multipart fields", async () => {
  const answer = await create([
    { name: "title", value: "😀".repeat(256) },
    { name: "description", value: "x".repeat(2_000_000) },
  ]);
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.body.errors).sort(), ["description", "title"]);
  await assertNothingStored();
});

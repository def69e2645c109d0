import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, test } from "node:test";
import { parse } from "content-disposition";
import sharp from "sharp";
import type { Attachment } from "../../shared/attachments.ts";
import type { Report } from "../../shared/reports.ts";
import { deleteHiddenRows } from "../../../test/support/delete-hidden-rows.ts";
import { collide } from "../../../test/support/collide.ts";
import { rowKeys, storedKeys, temporaryFiles } from "../../../test/support/files.ts";
import { bmp, gif, middleColor, noise, picture, png } from "../../../test/support/images.ts";
import { makePersonalToken, makeUser } from "../../../test/support/make.ts";
import { upload } from "../../../test/support/multipart.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
let report: Report;
let url: string;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
  report = await p.create();
  url = `${p.of(report)}/attachments`;
});

const attach = (filename: string, content: Buffer | string, type?: string) =>
  upload(p.admin, url, [{ name: "file", filename, content, ...(type ? { type } : {}) }]);

async function attached(filename: string, content: Buffer | string): Promise<Attachment> {
  const answer = await attach(filename, content);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** The downloaded bytes and the response headers. */
async function download(attachment: { id: number }, query = "") {
  const authorization = `Bearer ${await makePersonalToken(t.db, p.adminUser.id)}`;
  const answer = await t.app.inject({
    url: `${url}/${attachment.id}/download${query}`,
    headers: { authorization },
  });
  assert.equal(answer.statusCode, 200);
  return { bytes: answer.rawPayload, headers: answer.headers };
}

test("a file that is not an image is stored unchanged, with the type of its extension", async () => {
  const content = Buffer.from("name;count\r\nÜmläut;3\r\n");
  const answer = await attach("Zahlen 2026.csv", content, "application/x-anything");
  assert.equal(answer.status, 201);
  const { id, created_at, ...rest } = answer.body;
  assert.match(created_at, /\.\d{6}Z$/);
  const expected = {
    filename: "Zahlen 2026.csv",
    mime_type: "text/csv",
    size: content.length,
    user_id: p.adminUser.id,
  };
  assert.deepEqual(rest, expected);
  const { bytes, headers } = await download({ id });
  assert.deepEqual(bytes, content);
  assert.equal(headers["content-type"], "text/csv");
  assert.equal(headers["content-length"], String(content.length));
});

test("an image of any size has a thumbnail for lists; other files do not", async () => {
  const content = await noise(1_200, 800).jpeg({ quality: 95 }).toBuffer();
  const image = await attached("screen.jpg", content);
  assert.ok(image.size > 200_000);
  const { bytes, headers } = await download(image, "?size=thumbnail");
  const { width, height, format } = await sharp(bytes).metadata();
  assert.deepEqual([width, height, format], [120, 120, "webp"]);
  assert.ok(bytes.length < 10_000);
  assert.deepEqual(
    [headers["content-type"], headers["content-length"]],
    ["image/webp", String(bytes.length)],
  );
  assert.equal((await p.admin.get(p.of(report))).body.thumbnail_id, image.id);
  const text = await attached("log.txt", "It fails");
  assert.equal((await download(text, "?size=thumbnail")).bytes.toString(), "It fails");
  assert.equal((await p.admin.get(`${url}/${image.id}/download?size=large`)).status, 422);
});

test("an image is stored as WebP, with matching name and size", async () => {
  const color = { r: 200, g: 40, b: 90 };
  const sources: [string, Buffer][] = [
    ["photo.jpg", await picture(60, 40, color).jpeg().toBuffer()],
    ["photo.JPEG", await picture(60, 40, color).jpeg().toBuffer()],
    ["shot.png", await png(60, 40, color)],
    ["old.bmp", bmp(60, 40, color)],
    ["scan.tiff", await picture(60, 40, color).tiff().toBuffer()],
    ["web.webp", await picture(60, 40, color).webp().toBuffer()],
    ["still.gif", await picture(60, 40, color).gif().toBuffer()],
  ];
  for (const [name, content] of sources) {
    const attachment = await attached(name, content);
    assert.equal(attachment.filename, `${name.split(".", 1)[0]}.webp`);
    assert.equal(attachment.mime_type, "image/webp");
    const { bytes, headers } = await download(attachment);
    assert.equal(bytes.length, attachment.size, name);
    assert.equal(headers["content-type"], "image/webp");
    assert.equal(bytes.toString("latin1", 8, 12), "WEBP");
    const { r, g, b } = await middleColor(bytes);
    for (const [is, was] of [
      [r, color.r],
      [g, color.g],
      [b, color.b],
    ] as const)
      assert.ok(Math.abs(is - was) < 8, `${name}: ${r} ${g} ${b}`);
  }
});

test("attachments are listed oldest first and counted in their report", async () => {
  const made = [
    await attached("b.txt", "1"),
    await attached("a.gif", await gif(2)),
    await attached("c.txt", ""),
  ];
  assert.deepEqual((await p.admin.get(url)).body, made);
  assert.equal((await p.admin.get(p.of(report))).body.attachments_count, 3);
  assert.equal((await p.list())[0]?.attachments_count, 3);
});

test("a download is sent as an attachment with a policy that forbids scripts", async () => {
  const attachment = await attached("page.md", "<script>alert(1)</script>");
  const { headers } = await download(attachment);
  assert.equal(headers["content-type"], "text/markdown");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.match(String(headers["content-disposition"]), /^attachment;/);
  assert.match(String(headers["content-security-policy"]), /^sandbox;/);
});

test("a browser asks before it shows a file that it has downloaded before", async () => {
  const { headers } = await download(await attached("notes.txt", "text"));
  assert.equal(headers["cache-control"], "private, no-cache");
  assert.equal(headers["vary"], "cookie, authorization");
  const missing = await p.admin.get(`${url}/999999/download`);
  assert.deepEqual([missing.status, missing.headers["cache-control"]], [404, "no-store"]);
});

for (const size of ["", "?size=thumbnail"])
  test(`a file that the browser has is confirmed by its hash, and another one is sent${size && ": thumbnails"}`, async () => {
    const [attachment, other] = [await attached("a.png", await png()), await attached("b.gif", await gif(2))];
    const urlOf = ({ id }: { id: number }) => `${url}/${id}/download${size}`;
    const etag = String((await p.admin.get(urlOf(attachment))).headers["etag"]);
    const read = (of: { id: number }) =>
      p.admin.send({ method: "GET", url: urlOf(of), headers: { "if-none-match": etag } });
    const again = await read(attachment);
    assert.deepEqual([again.status, again.text, again.headers["etag"]], [304, "", etag]);
    assert.equal((await read(other)).status, 200);
  });

test("a person without access to a file gets no confirmation that it is unchanged", async () => {
  const attachment = await attached("a.txt", "hello");
  const address = `${url}/${attachment.id}/download`;
  const etag = String((await p.admin.get(address)).headers["etag"]);
  const stranger = t.http.as(await makePersonalToken(t.db, (await makeUser(t.db)).id));
  const answer = await stranger.send({ method: "GET", url: address, headers: { "if-none-match": etag } });
  assert.equal(answer.status, 403);
});

test("a name is returned as it was sent, in a header that all browsers understand", async () => {
  for (const name of [
    "plain.txt",
    'with "quotes".txt',
    "naïve – 日本語 😀.txt",
    "a;b,c%20.txt",
    "a'b(c).txt",
  ]) {
    const attachment = await attached(name, "x");
    assert.equal(attachment.filename, name);
    const { headers } = await download(attachment);
    const header = String(headers["content-disposition"]);
    assert.match(header, /^[\x20-\x7e]+$/);
    assert.equal(parse(header).parameters["filename"], name);
  }
});

test("the row contains the hash of the stored bytes", async () => {
  for (const attachment of [await attached("a.txt", "hello"), await attached("a.png", await png())]) {
    const { bytes } = await download(attachment);
    const row = await t.db
      .selectFrom("attachments")
      .select("sha256")
      .where("id", "=", attachment.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(row.sha256, createHash("sha256").update(bytes).digest());
  }
});

test("HEAD on a download returns the size and no body", async () => {
  const attachment = await attached("a.txt", "hello");
  const head = await p.admin.send({ method: "HEAD", url: `${url}/${attachment.id}/download` });
  assert.equal(head.status, 200);
  assert.equal(head.headers["content-length"], "5");
  assert.equal(head.text, "");
});

test("deleting a report or its project removes the stored files", async () => {
  await attached("a.png", await png());
  await attached("b.txt", "b");
  const other = await p.create();
  await upload(p.admin, `${p.of(other)}/attachments`, [{ name: "file", filename: "c.txt", content: "c" }]);
  const before = await storedKeys(t);
  assert.deepEqual(before, await rowKeys(t));
  assert.equal((await p.admin.delete(p.of(report))).status, 204);
  assert.equal((await storedKeys(t)).length, before.length - 2);
  assert.deepEqual(await storedKeys(t), await rowKeys(t));
  assert.equal((await p.admin.delete(`/api/projects/${p.id}`)).status, 202);
  await deleteHiddenRows(t);
  const noted = await t.db.selectFrom("file_deletions").select("storage_key").execute();
  assert.equal(noted.length, 1);
});

test("if the report is deleted during an upload, neither a row nor a file is left", async () => {
  const answers = await collide(
    t.database,
    `select from reports where id = ${report.id} for update`,
    async (waiting) => {
      const deletion = p.admin.delete(p.of(report));
      await waiting(1);
      const uploading = attach("a.png", await png());
      await waiting(2);
      return [deletion, uploading];
    },
  );
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [204, 404],
  );
  assert.deepEqual(await storedKeys(t), await rowKeys(t));
  assert.deepEqual(await temporaryFiles(t), []);
});

test("a file missing from storage returns 500, and the report can still be deleted", async () => {
  const attachment = await attached("a.txt", "x");
  for (const key of await rowKeys(t)) await t.storage.remove(key);
  const answer = await p.admin.get(`${url}/${attachment.id}/download`);
  assert.equal(answer.status, 500);
  assert.deepEqual(Object.keys(answer.body), ["message", "request_id"]);
  assert.equal((await p.admin.delete(p.of(report))).status, 204);
});

test("an upload without a file, with two files, or without multipart is refused", async () => {
  const file = { name: "file", filename: "a.txt", content: "x" };
  const cases: [Parameters<typeof upload>[2], string[]][] = [
    [[], ["file"]],
    [[{ name: "file", value: "text" }], ["file"]],
    [[{ name: "other", filename: "a.txt", content: "x" }], ["file"]],
    [[{ name: "file", filename: "", content: "" }], ["file"]],
    [[file, file], ["file"]],
  ];
  for (const [parts, fields] of cases) {
    const answer = await upload(p.admin, url, parts);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), fields);
  }
  assert.equal((await p.admin.post(url, { file: "x" })).status, 415);
  assert.equal((await upload(p.admin, `${p.reports}/reorder`, [file])).status, 415);
  assert.deepEqual((await p.admin.get(url)).body, []);
});

test("unknown fields and other files are ignored", async () => {
  const answer = await upload(p.admin, url, [
    { name: "comment", value: "hello" },
    { name: "picture", filename: "b.exe", content: "MZ" },
    { name: "file", filename: "a.txt", content: "x" },
  ]);
  assert.equal(answer.status, 201);
  assert.equal(answer.body.filename, "a.txt");
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { beforeEach, test } from "node:test";
import { rowKeys, storedKeys, temporaryFiles } from "../../../test/support/files.ts";
import { blankPng, gif, noise, picture, png } from "../../../test/support/images.ts";
import { makePersonalToken } from "../../../test/support/make.ts";
import { MULTIPART, multipart, sendMultipart, upload } from "../../../test/support/multipart.ts";
import { openReports } from "../../../test/support/reports.ts";
import { openAppOn, useTestApp } from "../../../test/support/test-app.ts";
import { waitUntil } from "../../../test/support/eventually.ts";

const SILENT_MS = 400;
const MIB = 1_048_576;

let url: string;
const t = await useTestApp();
const p = await openReports(t);
const token = await makePersonalToken(t.db, p.adminUser.id);
await t.app.listen({ host: "127.0.0.1", port: 0 });
const { port } = t.app.server.address() as AddressInfo;
beforeEach(async () => {
  url = `${p.of(await p.create())}/attachments`;
});

const attach = (filename: string, content: Buffer | string) =>
  upload(p.admin, url, [{ name: "file", filename, content }]);

/** There is no row, no stored file and no temporary file, and the server still works. */
async function assertNothingStored() {
  assert.deepEqual((await p.admin.get(url)).body, []);
  assert.deepEqual(await storedKeys(t), await rowKeys(t));
  assert.deepEqual(await temporaryFiles(t), []);
  assert.equal((await fetch(`http://127.0.0.1:${port}/api/health`)).status, 200);
}

async function assertRefused(filename: string, content: Buffer | string, message?: string) {
  const answer = await attach(filename, content);
  assert.equal(answer.status, 422, `${filename}: ${answer.text}`);
  assert.deepEqual(Object.keys(answer.body.errors), ["file"]);
  if (message !== undefined) assert.deepEqual(answer.body.errors.file, [message]);
}

test("20 MB are accepted, and one byte more returns 422", async () => {
  const taken = await attach("a.txt", Buffer.alloc(20 * MIB, "x"));
  assert.deepEqual([taken.status, taken.body.size], [201, 20 * MIB]);
  url = `${p.of(await p.create())}/attachments`;
  await assertRefused("a.txt", Buffer.alloc(20 * MIB + 1, "x"), "must be at most 20 MB");
  await assertNothingStored();
});

test("a body above 32 MiB returns 413, by its declared length or by its actual size", async () => {
  const body = multipart([{ name: "file", filename: "a.txt", content: Buffer.alloc(32 * MIB, "x") }]);
  assert.equal((await sendMultipart(p.admin, url, body)).status, 413);
  const chunked = await t.app.inject({
    method: "POST",
    url,
    headers: { authorization: `Bearer ${token}`, "content-type": MULTIPART },
    payload: Readable.from([body.subarray(0, 20 * MIB), body.subarray(20 * MIB)]),
  });
  assert.equal(chunked.statusCode, 413);
  await assertNothingStored();
});

test("SVG, HTML or a script with the extension of an image is refused", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  for (const extension of ["png", "jpg", "jpeg", "gif", "webp", "bmp", "tiff"]) {
    await assertRefused(`a.${extension}`, svg);
    await assertRefused(`a.${extension}`, `<?xml version="1.0"?>${svg}`);
    await assertRefused(`a.${extension}`, "<!doctype html><script>alert(1)</script>");
  }
  await assertRefused("a.svg", svg);
  await assertRefused("a.html", "<p>");
  await assertRefused("a.png.exe", await png());
  await assertNothingStored();
});

test("a damaged image is refused: truncated, emptied or overwritten in the middle", async () => {
  const image = await noise(200, 150).png().toBuffer();
  const photo = await noise(200, 150).jpeg().toBuffer();
  const animation = await gif(5);
  await assertRefused("a.png", image.subarray(0, image.length / 2), "is damaged");
  await assertRefused("a.png", image.subarray(0, 40));
  await assertRefused("a.jpg", photo.subarray(0, photo.length / 2), "is damaged");
  await assertRefused("a.gif", animation.subarray(0, animation.length / 2), "is damaged");
  await assertRefused("a.bmp", Buffer.from("BM and nothing else"));
  await assertRefused("a.png", "");
  const overwritten = Buffer.from(image);
  overwritten.fill(0, 5_000, 5_500);
  await assertRefused("a.png", overwritten, "is damaged");
  await assertNothingStored();
});

test("an image of 64 megapixels in a few kilobytes is refused before it is decoded", async () => {
  const bomb = blankPng(8_000, 8_000);
  assert.ok(bomb.length < 9_000, `${bomb.length} bytes`);
  await assertRefused("a.png", bomb, "must have at most 50 million pixels");
  const bitmap = Buffer.alloc(100);
  bitmap.write("BM");
  bitmap.writeUInt32LE(40, 14);
  bitmap.writeInt32LE(16_000, 18);
  bitmap.writeInt32LE(-16_000, 22);
  await assertRefused("a.bmp", bitmap, "must have at most 50 million pixels");
  await assertNothingStored();
});

test("an image that is too wide, too high or has too many frames is refused, one at the limit is accepted", async () => {
  await assertRefused("a.png", await png(20_000, 10), "must be at most 16383 pixels wide and high");
  await assertRefused("a.png", await png(10, 16_384), "must be at most 16383 pixels wide and high");
  await assertRefused("a.gif", await gif(51), "must have at most 50 frames");
  await assertNothingStored();
  assert.equal((await attach("a.png", await png(16_383, 10))).status, 201);
  assert.equal((await attach("a.gif", await gif(50))).status, 201);
});

test("a malicious file name is sanitized or refused", async () => {
  const kept: [string, string][] = [
    ["../../../etc/passwd.txt", "passwd.txt"],
    ["/absolute/a.txt", "a.txt"],
    ["C:\\\\Windows\\\\a.txt", "a.txt"],
    ['quo"te.txt', 'quo"te.txt'],
    ["line%0D%0Abreak.txt", "linebreak.txt"],
    ["tab\there.txt", "tabhere.txt"],
    [`${"x".repeat(296)}.txt`, `${"x".repeat(251)}.txt`],
    [`${"日".repeat(296)}.txt`, `${"日".repeat(251)}.txt`],
    ["invoice\u202egnp.txt", "invoicegnp.txt"],
    [".txt", ".txt"],
  ];
  for (const [sent, stored] of kept) {
    const answer = await attach(sent, "x");
    assert.deepEqual([answer.status, answer.body.filename], [201, stored], sent);
  }
  // Without the mark that reverses the text direction, this is an .exe file.
  for (const name of ["photo\u202egnp.exe", "..", "a.png/", "txt", "a.txt.", "con\\"])
    await assertRefused(name, "x", "is not of a type that can be attached");
  for (const raw of ["a\r\nb.txt", "a\0b.txt"]) {
    const body = Buffer.from(
      multipart([{ name: "file", filename: "RAW", content: "x" }])
        .toString()
        .replace("RAW", raw),
    );
    const answer = await sendMultipart(p.admin, url, body);
    assert.ok(
      answer.status === 201 ? answer.body.filename === "ab.txt" : [400, 422].includes(answer.status),
      answer.text,
    );
  }
  assert.deepEqual(await storedKeys(t), await rowKeys(t));
  assert.deepEqual(await temporaryFiles(t), []);
});

test("a long image name is truncated to 255 characters and keeps its new extension", async () => {
  const answer = await attach(`${"a".repeat(300)}.jpeg`, await picture().jpeg().toBuffer());
  assert.equal(answer.body.filename, `${"a".repeat(250)}.webp`);
});

test("a multipart body that is malformed or ends early returns 400", async () => {
  const whole = multipart([
    { name: "file", filename: "a.png", content: await noise(100, 100).png().toBuffer() },
  ]);
  const fields = Array.from({ length: 3_000 }, (_, n) => ({ name: `field${n}`, value: "x" }));
  const file = { name: "file", filename: "a.txt", content: "x" };
  const bodies = [
    Buffer.alloc(0),
    Buffer.from("no boundary at all"),
    whole.subarray(0, 60),
    whole.subarray(0, whole.length / 2),
    whole.subarray(0, whole.length - 30),
    multipart(fields),
    multipart([file, ...fields]),
    multipart([...fields.slice(0, 500), file, ...fields.slice(500)]),
  ];
  for (const body of bodies) {
    const answer = await sendMultipart(p.admin, url, body);
    assert.equal(answer.status, 400, body.toString("latin1", 0, 50));
    assert.deepEqual(Object.keys(answer.body), ["message"]);
  }
  for (const type of [
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/mixed; boundary=x",
  ]) {
    const answer = await p.admin.send({
      method: "POST",
      url,
      headers: { "content-type": type },
      payload: whole,
    });
    assert.ok([400, 415].includes(answer.status), type);
  }
  const packed = { "content-type": MULTIPART, "content-encoding": "gzip" };
  assert.equal((await p.admin.send({ method: "POST", url, headers: packed, payload: whole })).status, 415);
  await assertNothingStored();
});

/** A connection on which the server has received the first half of an upload. */
const halfSent = (to = port) => sent("a.txt", Buffer.alloc(MIB, "x"), MIB / 2, to);

/** A connection on which the server has received an upload, or the first `bytes` of it. */
async function sent(filename: string, content: Buffer, bytes = Infinity, to = port): Promise<Socket> {
  const body = multipart([{ name: "file", filename, content }]);
  const socket = connect(to, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST ${url} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${MULTIPART}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, bytes));
  await untilTemporaryFiles((files) => files.length > 1);
  return socket;
}

async function untilTemporaryFiles(as: (files: string[]) => boolean) {
  await waitUntil(async () => as(await temporaryFiles(t)), "the temporary files are not as expected");
}

test("a client that disconnects during an upload leaves nothing behind", async () => {
  const socket = await halfSent();
  socket.destroy();
  await untilTemporaryFiles((files) => files.length === 0);
  await assertNothingStored();
});

test("a client that disconnects while its image is converted leaves nothing behind", async () => {
  const socket = await sent("a.jpg", await noise(1_500, 1_500).jpeg().toBuffer());
  socket.destroy();
  await untilTemporaryFiles((files) => files.length === 0);
  await assertNothingStored();
});

test("a client that stops sending gets 408, is disconnected and leaves nothing behind", async () => {
  const impatient = await openAppOn(t.database.url, { DATA_DIR: t.dataDir }, { silentMs: SILENT_MS });
  await impatient.app.listen({ host: "127.0.0.1", port: 0 });
  const socket = await halfSent((impatient.app.server.address() as AddressInfo).port);
  const received: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => received.push(chunk)).on("error", () => {});
  await once(socket, "close");
  assert.match(Buffer.concat(received).toString(), /^HTTP\/1\.1 408/);
  await untilTemporaryFiles((files) => files.length === 0);
  await assertNothingStored();
  await impatient.close();
});

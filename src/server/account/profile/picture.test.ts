import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import sharp from "sharp";
import { MAX_PICTURE_BYTES } from "../../../shared/people.ts";
import type { Answer, Client } from "../../../../test/support/client.ts";
import { storedKeys, temporaryFiles } from "../../../../test/support/files.ts";
import { blankPng, bmp, gif, middleColor, noise, picture, png } from "../../../../test/support/images.ts";
import { makeCookie, type TestUser } from "../../../../test/support/make.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { openProfile, sendPicture, setPicture } from "../../../../test/support/profile-picture.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const RED = { r: 220, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 220 };
let user: TestUser;
let me: Client;
const t = await useTestApp();

beforeEach(async () => {
  ({ user, me } = await openProfile(t));
});

const send = (filename: string, content: Buffer | string, client = me) =>
  sendPicture(client, filename, content);
const shown = async () => (await me.get("/api/profile")).body.profile_picture;

const sent = (filename: string, content: Buffer, client = me) => setPicture(client, filename, content);

async function bytes(url: string, client = "cookie"): Promise<Buffer> {
  const headers =
    client === "cookie" ? { cookie: await makeCookie(t.db, user.id) } : { authorization: client };
  const response = await t.app.inject({ method: "GET", url, headers });
  assert.equal(response.statusCode, 200, url);
  return response.rawPayload;
}

const corner = async (image: Buffer, left: number, top: number) =>
  middleColor(await sharp(image).extract({ left, top, width: 8, height: 8 }).png().toBuffer());

async function assertRefused(answer: Answer, message?: string) {
  assert.equal(answer.status, 422, answer.text);
  assert.deepEqual(Object.keys(answer.body.errors), ["file"]);
  if (message !== undefined) assert.deepEqual(answer.body.errors.file, [message]);
}

test("setting a picture returns the profile, and the picture is served as AVIF and WebP", async () => {
  const answer = await send("me.png", await png(400, 300, RED));
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, (await me.get("/api/profile")).body);
  const urls = answer.body.profile_picture;
  assert.deepEqual(Object.keys(urls).sort(), ["avif", "webp"]);
  for (const format of ["avif", "webp"] as const) {
    assert.match(urls[format], new RegExp(`^/api/users/${user.id}/picture/[0-9a-f]{32}\\.${format}$`));
    const { status, headers } = await me.get(urls[format]);
    assert.equal(status, 200);
    assert.equal(headers["content-type"], `image/${format}`);
    assert.equal(headers["cache-control"], "private, max-age=31536000, immutable");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.match(headers["content-security-policy"] ?? "", /^sandbox; default-src 'none'/);
    const image = await bytes(urls[format]);
    assert.equal(headers["content-length"], String(image.length));
    const { width, height, format: kind } = await sharp(image).metadata();
    assert.deepEqual([width, height, kind], [256, 256, format === "avif" ? "heif" : "webp"]);
    const { r, g, b } = await middleColor(image);
    assert.ok(r > 190 && g < 60 && b < 60, `${format}: ${r} ${g} ${b}`);
  }
  assert.deepEqual(await temporaryFiles(t), []);
});

test("the square is the middle of the upright image, without metadata", async () => {
  // Blue with a red square in the middle. A landscape image is stored rotated.
  const middle = await png(200, 200, RED);
  const wide = await picture(600, 200, BLUE)
    .composite([{ input: middle, left: 200, top: 0 }])
    .png()
    .toBuffer();
  const square = await bytes((await sent("wide.png", wide)).webp);
  for (const [left, top] of [
    [4, 4],
    [244, 4],
    [4, 244],
    [244, 244],
  ] as const) {
    const { r, b } = await corner(square, left, top);
    assert.ok(r > 150 && b < 90, `${left} ${top}: ${r} ${b}`);
  }
  const half = await png(100, 200, RED);
  const photo = await picture(200, 200, BLUE)
    .composite([{ input: half, left: 0, top: 0 }])
    .jpeg({ quality: 95 })
    .withExif({ IFD0: { Make: "Secret Camera" } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  for (const url of Object.values(await sent("photo.jpg", photo))) {
    const image = await bytes(url);
    const { exif, orientation, icc, xmp } = await sharp(image).metadata();
    assert.deepEqual([exif, orientation, icc, xmp], [undefined, undefined, undefined, undefined]);
    // Rotated by 90° clockwise, the left edge is on top.
    const [top, bottom] = [await corner(image, 124, 40), await corner(image, 124, 210)];
    assert.ok(top.r > 180 && bottom.b > 180, JSON.stringify({ top, bottom }));
  }
});

test("every image type is accepted, and an animation is reduced to its first frame", async () => {
  const grey = picture(60, 60, RED).greyscale();
  const images: Record<string, Buffer> = {
    "a.jpg": await picture(60, 60).jpeg().toBuffer(),
    "a.jpeg": await picture(60, 60).jpeg().toBuffer(),
    "cmyk.jpg": await picture(60, 60).toColourspace("cmyk").jpeg().toBuffer(),
    "a.PNG": await png(1, 1),
    "grey.png": await grey.png().toBuffer(),
    "deep.png": await picture(60, 60).toColourspace("rgb16").png().toBuffer(),
    "a.gif": await gif(51),
    "a.webp": await picture(60, 60).webp().toBuffer(),
    "a.bmp": bmp(30, 30),
    "a.tiff": await picture(60, 60).tiff().toBuffer(),
  };
  for (const [name, content] of Object.entries(images))
    for (const url of Object.values(await sent(name, content))) {
      const { width, height, pages } = await sharp(await bytes(url)).metadata();
      assert.deepEqual([width, height, pages ?? 1], [256, 256, 1], name);
    }
  const clear = await sharp({
    create: { width: 20, height: 20, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
  })
    .png()
    .toBuffer();
  for (const url of Object.values(await sent("clear.png", clear)))
    assert.equal((await middleColor(await bytes(url))).alpha, 0);
});

test("a missing, damaged, too large or non-image file returns 422 and keeps the previous picture", async () => {
  const before = await sent("me.png", await png());
  const keys = await storedKeys(t);
  const image = await noise(200, 150).png().toBuffer();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  for (const name of ["me.svg", "me.pdf", "me.txt", "me", "me.png.html", "me.mp4"])
    await assertRefused(
      await send(name, await png()),
      "must be an image: jpg, jpeg, png, gif, webp, bmp or tiff",
    );
  for (const content of [svg, `<?xml version="1.0"?>${svg}`, "<!doctype html>", "", await gif(2)])
    await assertRefused(await send("me.png", content), "does not have the content its name promises");
  await assertRefused(await send("me.png", image.subarray(0, image.length / 2)), "is damaged");
  await assertRefused(await send("me.png", blankPng(8_000, 8_000)), "must have at most 50 million pixels");
  const large = Buffer.concat([image, Buffer.alloc(MAX_PICTURE_BYTES + 1 - image.length)]);
  await assertRefused(await send("me.png", large), "must be at most 10 MB");
  const part = { name: "file", filename: "me.png", content: await png() };
  await assertRefused(await upload(me, "/api/profile/picture", [part, part]), "must be one file");
  for (const parts of [
    [],
    [{ ...part, name: "picture" }],
    [{ name: "file", value: "x" }],
    [{ ...part, filename: "" }],
  ])
    await assertRefused(await upload(me, "/api/profile/picture", parts), "is required");
  assert.equal((await me.post("/api/profile/picture", { file: "x" })).status, 415);
  assert.equal((await me.post("/api/profile/picture")).status, 400);
  assert.deepEqual(await shown(), before);
  assert.deepEqual(await storedKeys(t), keys);
  assert.deepEqual(await temporaryFiles(t), []);
});

test("an image of exactly 10 MB is accepted", async () => {
  const image = await png();
  const padded = Buffer.concat([image, Buffer.alloc(MAX_PICTURE_BYTES - image.length)]);
  assert.equal((await send("me.png", padded)).status, 200);
});

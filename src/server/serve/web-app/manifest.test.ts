import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { useTestApp } from "../../../../test/support/test-app.ts";

const WEB = path.join(import.meta.dirname, "../../../web");
/** The source files, because they are copied into the build as they are. */
const t = await useTestApp({}, { webApp: WEB });

const get = (url: string) => t.http.send({ method: "GET", url, headers: { accept: "*/*" } });

test("the manifest is served with its own type, and the page may load it", async () => {
  const answer = await get("/public/app.webmanifest");
  assert.deepEqual(
    [answer.status, answer.headers["content-type"]?.toString().split(";")[0]],
    [200, "application/manifest+json"],
  );
  const page = await get("/");
  assert.match(page.text, /<link rel="manifest" href="\/app\.webmanifest" \/>/);
  assert.match(String(page.headers["content-security-policy"]), /manifest-src 'self'/);
});

test("the manifest makes the app installable, and each icon has the size it names", async () => {
  const manifest = JSON.parse(await readFile(path.join(WEB, "public/app.webmanifest"), "utf8"));
  assert.deepEqual([manifest.display, manifest.start_url, manifest.scope], ["standalone", "/", "/"]);
  const sizes: string[] = [];
  for (const { src, sizes: named, type, purpose = "any" } of manifest.icons) {
    assert.equal((await get(`/public${src}`)).status, 200, src);
    const { width, height, format } = await sharp(path.join(WEB, "public", src)).metadata();
    if (named !== "any") assert.deepEqual([`${width}x${height}`, `image/${format}`], [named, type]);
    sizes.push(`${named} ${purpose}`);
  }
  assert.deepEqual(sizes, [
    "any any",
    "192x192 any",
    "512x512 any",
    "512x512 maskable",
    "512x512 monochrome",
  ]);
});

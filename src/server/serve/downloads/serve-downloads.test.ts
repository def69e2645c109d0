import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { openTestApp } from "../../../../test/support/test-app.ts";

const folder = await mkdtemp(path.join(tmpdir(), "signalbox-downloads-"));
const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-data-"));
await build("0.2.0", "first");
let t = await openTestApp({ DATA_DIR: dataDir }, { reporter: folder, commandLine: folder });
after(async () => {
  await t.close();
  for (const each of [folder, dataDir]) await rm(each, { recursive: true, force: true });
});

/** Writes what builds of the reporter and the command line write. */
async function build(version: string, text: string) {
  for (const ending of ["tgz", "js", "mjs"])
    await writeFile(path.join(folder, `reporter.${ending}`), `// ${text}.${ending}`);
  await writeFile(path.join(folder, "sbx.tgz"), `// ${text}.tgz`);
  for (const name of ["reporter", "sbx"])
    await writeFile(path.join(folder, `${name}.json`), JSON.stringify({ version }));
}

async function upgrade(version: string, text: string) {
  await t.close();
  await build(version, text);
  t = await openTestApp({ DATA_DIR: dataDir }, { reporter: folder, commandLine: folder });
}

const get = (file: string, of = "reporter") => t.http.send({ method: "GET", url: `/${of}/${file}` });

test("pages of any origin may load the package and the scripts, the current version for five minutes", async () => {
  for (const [ending, type] of [
    ["tgz", "application/gzip"],
    ["js", "text/javascript; charset=utf-8"],
    ["mjs", "text/javascript; charset=utf-8"],
  ]) {
    for (const [name, cache] of [
      [`reporter.${ending}`, "public, max-age=300"],
      [`reporter-0.2.0.${ending}`, "public, max-age=31536000, immutable"],
    ]) {
      const { status, headers, text } = await get(name!);
      assert.deepEqual([status, text], [200, `// first.${ending}`], name);
      assert.equal(headers["content-type"], type);
      assert.equal(headers["cache-control"], cache);
      assert.equal(headers["access-control-allow-origin"], "*");
      assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
      assert.equal(headers["x-content-type-options"], "nosniff");
    }
  }
});

test("reporter.json has the current version and the checksums of its files", async () => {
  const { body } = await get("reporter.json");
  const checksum = createHash("sha384").update("// first.js").digest("base64");
  assert.equal(body.version, "0.2.0");
  assert.deepEqual(body.files[1], { name: "reporter-0.2.0.js", integrity: `sha384-${checksum}` });
});

for (const name of [
  "reporter-0.1.9.js",
  "reporter-0.2.0.json",
  "package.json",
  "..%2Freporter.js",
  "reporter.js.map",
])
  test(`other files are not served, and the 404 is not cached: ${name}`, async () => {
    const { status, headers } = await get(name);
    assert.deepEqual([status, headers["cache-control"]], [404, "no-store"]);
  });

test("the command line is offered in the same way", async () => {
  for (const name of ["sbx.tgz", "sbx-0.2.0.tgz"]) {
    const { status, headers, text } = await get(name, "cli");
    assert.deepEqual(
      [status, text, headers["content-type"]],
      [200, "// first.tgz", "application/gzip"],
      name,
    );
  }
  const { body } = await get("sbx.json", "cli");
  assert.deepEqual([body.version, body.files[0].name], ["0.2.0", "sbx-0.2.0.tgz"]);
  assert.equal((await get("reporter.tgz", "cli")).status, 404);
});

test("after an upgrade, an earlier version keeps its address and its bytes", async () => {
  await upgrade("0.3.0", "second");
  assert.equal((await get("reporter-0.2.0.tgz")).text, "// first.tgz");
  assert.equal((await get("reporter-0.3.0.tgz")).text, "// second.tgz");
  assert.equal((await get("reporter.tgz")).text, "// second.tgz");
});

test("a version that is built again keeps its first bytes, whose checksum lockfiles may contain", async () => {
  await upgrade("0.3.0", "third");
  assert.equal((await get("reporter-0.3.0.tgz")).text, "// second.tgz");
  assert.equal((await get("reporter.tgz")).text, "// third.tgz");
});

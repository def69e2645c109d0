import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { anEvent } from "./support/error-events.ts";
import { eventually } from "./support/eventually.ts";
import { install, SETUP_TOKEN } from "./support/over-http.ts";
import { cloneDatabase } from "./support/postgres.ts";
import { makeHome, start, startServer, type Home } from "./support/program.ts";
import { useEveryPart } from "./support/use-every-part.ts";

const ROOT = path.join(import.meta.dirname, "..");
const run = promisify(execFile);

let bundle: string;
let home: Home;
let database: { url: string; drop(): Promise<void> };
before(async () => {
  await run(process.execPath, [path.join(ROOT, "build/bundle-server.mjs")]);
  const { main } = JSON.parse(await readFile(path.join(ROOT, "dist/server/bundle.json"), "utf8"));
  bundle = path.join(ROOT, "dist/server", main);
  home = await makeHome();
  database = await cloneDatabase();
});
after(async () => {
  await home.remove();
  await database.drop();
});

test("the bundled server finds its migrations, workers and packages", async () => {
  const settings = { SETUP_TOKEN, DATABASE_URL: database.url };
  const server = await startServer(home, settings, bundle);
  await useEveryPart(server.url);

  const backup = path.join(home.folder, "a.backup");
  for (const args of [["backup", backup], ["backup", "--verify", backup], ["migrate"]]) {
    const command = start(home, args, settings, bundle);
    assert.equal((await command.ended).code, 0, command.stderr());
  }
  server.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
});

test("Node keeps one byte for each character of the bundle, and does not load its fetch for it", async () => {
  for (const file of await filesOf(bundle)) {
    const text = await readFile(file, "utf8");
    assert.doesNotMatch(text, /[^\0-\x7f]/, file);
    // An import reads all exports of this module, among them classes of fetch.
    assert.doesNotMatch(text, /(?:from|import)\s?"(?:node:)?http"/, file);
  }
});

test("the bundled server starts without loading Node's TLS", async () => {
  const report = "process.on('exit', () => console.error(process.moduleLoadList.join()))";
  const settings = { DATABASE_URL: database.url, NODE_OPTIONS: `--import="data:text/javascript,${report}"` };
  const server = await startServer(home, settings, bundle);
  server.kill("SIGTERM");
  await server.ended;
  assert.match(server.stderr(), /NativeModule net,/);
  assert.doesNotMatch(server.stderr(), /NativeModule (?:tls|https),/);
});

test("the engine for patterns is loaded with the first pattern, not at the start and not for an event", async () => {
  const report = `
    import { registerHooks } from "node:module";
    const load = (url, context, next) => { if (url.includes("/re2js/")) console.error("loads " + url); return next(url, context); };
    registerHooks({ load });`;
  const empty = await cloneDatabase();
  const settings = {
    SETUP_TOKEN,
    DATABASE_URL: empty.url,
    NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(report).toString("base64")}`,
  };
  const server = await startServer(home, settings, bundle);
  const { projectId, post, send } = await install(server.url);
  assert.equal((await send(server.url, anEvent())).status, 202);
  assert.doesNotMatch(server.stderr(), /loads/);

  const rule = { kind: "message", pattern: "ResizeObserver loop" };
  const created = await post(`${server.url}/api/projects/${projectId}/inbound-rules`, rule);
  assert.equal(created.status, 201, await created.text());
  await eventually(() => /loads .*re2js/.test(server.stderr()), true);
  server.kill("SIGTERM");
  await server.ended;
  await empty.drop();
});

/** A file of the bundle and all that it imports, also later. */
async function filesOf(first: string): Promise<Set<string>> {
  const files = new Set([first]);
  for (const file of files)
    for (const [, name = ""] of (await readFile(file, "utf8")).matchAll(/"\.\/([\w-]+\.mjs)"/g))
      files.add(path.join(path.dirname(first), name));
  return files;
}

test("the image contains every source of the bundle, without which the program would not use it", async () => {
  const { sources } = JSON.parse(await readFile(path.join(ROOT, "dist/server/bundle.json"), "utf8")) as {
    sources: Record<string, string>;
  };
  const dockerfile = await readFile(path.join(ROOT, "Dockerfile"), "utf8");
  const copied = [
    ...dockerfile.slice(dockerfile.lastIndexOf("FROM ")).matchAll(/^COPY (?!--)(.+) \S+$/gm),
  ].flatMap(([, names = ""]) => names.split(" "));
  const isCopied = (file: string) => copied.some((name) => file === name || file.startsWith(`${name}/`));
  assert.deepEqual(
    Object.keys(sources).filter((file) => !isCopied(file)),
    [],
  );
});

test("the program runs from the bundle as long as the bundle matches the sources", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-bundle-"));
  try {
    await cp(path.join(ROOT, "signalbox.mjs"), path.join(folder, "signalbox.mjs"));
    for (const name of ["src/server", "dist/server"])
      await mkdir(path.join(folder, name), { recursive: true });
    const write = (file: string, content: string) => writeFile(path.join(folder, file), content);
    const output = async () => (await run(process.execPath, [path.join(folder, "signalbox.mjs")])).stdout;
    const source = 'console.log("sources");';
    await write("src/server/main.ts", source);
    assert.equal(await output(), "sources\n");

    const digest = hash("sha1", source);
    await write("dist/server/main.mjs", 'console.log("bundle");');
    await write(
      "dist/server/bundle.json",
      JSON.stringify({ main: "main.mjs", sources: { "src/server/main.ts": digest } }),
    );
    assert.equal(await output(), "bundle\n");

    await write("src/server/main.ts", `${source} // changed`);
    assert.equal(await output(), "sources\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

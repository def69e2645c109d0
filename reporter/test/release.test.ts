import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { detectFramework } from "../src/node/framework.ts";
import { detectRelease } from "../src/node/release.ts";

/** Writes package.json files by folder, and makes this process look as if it ran `script` in `cwd`. */
function program(
  t: TestContext,
  packages: Record<string, object>,
  { script, cwd }: Record<"script" | "cwd", string>,
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-release-")));
  const before = { script: process.argv[1]!, cwd: process.cwd() };
  for (const [folder, content] of Object.entries({
    ...packages,
    [dirname(script)]: packages[dirname(script)],
  })) {
    mkdirSync(join(root, folder), { recursive: true });
    if (content) writeFileSync(join(root, folder, "package.json"), JSON.stringify(content));
  }
  mkdirSync(join(root, cwd), { recursive: true });
  writeFileSync(join(root, script), "");
  process.argv[1] = join(root, script);
  process.chdir(join(root, cwd));
  t.after(() => {
    process.argv[1] = before.script;
    process.chdir(before.cwd);
    rmSync(root, { recursive: true });
  });
}

const app = { name: "shop", version: "4.2.0", dependencies: { next: "^16" } };
const next = { name: "next", version: "16.0.1" };

test("a program started by an installed runner has its own release and framework, not the runner's", (t) => {
  program(
    t,
    { app, "app/node_modules/next": next, "app/node_modules/next/dist/bin": { type: "commonjs" } },
    { script: "app/node_modules/next/dist/bin/next.js", cwd: "." },
  );
  assert.equal(detectRelease({}), "4.2.0");
  assert.deepEqual(detectFramework(), { name: "Next.js", version: "16.0.1" });
});

test("a globally installed runner's program is found by the working directory", (t) => {
  program(
    t,
    { app, "lib/node_modules/pm2": { name: "pm2", version: "7.0.0" } },
    { script: "lib/node_modules/pm2/lib/run.js", cwd: "app/src" },
  );
  assert.equal(detectRelease({}), "4.2.0");
});

test("a package.json without a name, as in an output folder, is skipped", (t) => {
  program(
    t,
    { app, "app/dist": { type: "commonjs", version: "0.1.0" } },
    { script: "app/dist/main.js", cwd: "." },
  );
  assert.equal(detectRelease({}), "4.2.0");
});

test("without a version in package.json, the release is the commit that the build service names", (t) => {
  program(t, { app: { name: "shop" } }, { script: "app/main.js", cwd: "app" });
  assert.equal(detectRelease({ GITHUB_SHA: "5f3c1d" }), "5f3c1d");
  assert.equal(detectRelease({}), undefined);
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { openPeer, sendEvents } from "../../../../test/support/compare.ts";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const ROOT = path.join(import.meta.dirname, "../../../..");
const environment = {
  ...process.env,
  DATABASE_URL: t.database.url,
  DATA_DIR: t.dataDir,
  IMPORT_TOKEN: "secret-token",
};

type Result = { code: number; stdout: string; stderr: string };

/** Runs the command as an administrator does beside the server. */
const run = (...args: string[]): Promise<Result> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(ROOT, "src/server/main.ts"), "compare", ...args],
      { cwd: ROOT, env: environment },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

test("exit code 0 says that nothing differs, and 3 that something does", async (context) => {
  const { server, url, counts } = await openPeer(context);
  const project = await makeProject(t.db, workspace.id);
  await sendEvents(t, project.id, counts);
  const same = await run("sentry", url.href, "--project", project.key);
  assert.deepEqual([same.code, same.stdout.split("\n").at(-2)], [0, "Nothing differs."], same.stderr);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer secret-token"));

  await sendEvents(t, project.id, { Message: 1 });
  const text = await run("sentry", url.href, "--project", project.key);
  assert.equal(text.code, 3);
  assert.match(text.stdout, /^Different counts: 1\n {2}Message: .*: 1 there, 2 here$/m);
  const json = await run("sentry", url.href, "--project", project.key, "--json", "--days", "30");
  assert.equal(json.code, 3);
  assert.equal(JSON.parse(json.stdout).different_counts[0].count_here, 2);
});

test("exit code 1 says that they could not be compared, and why", async (context) => {
  const { server, url } = await openPeer(context);
  const { key } = await makeProject(t.db, workspace.id);
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stdout], [1, ""]);
    return stderr;
  };
  assert.match(await refusal("bugsink", url.href, "--project", key), /^There is no kind bugsink\./);
  assert.match(await refusal("sentry", "nothing", "--project", key), /^nothing is not a valid address\./);
  assert.match(await refusal("sentry", url.href, "--project", "NOPE"), /^There is no project NOPE\./);
  assert.match(await refusal("sentry", url.href, "--project", key, "--days", "0"), /^--days takes a number/);
  const unknown = new URL("/api/0/organizations/nobody/issues/", server.origin).href;
  assert.match(
    await refusal("sentry", unknown, "--project", key),
    /does not exist, or the token may not read it/,
  );
});

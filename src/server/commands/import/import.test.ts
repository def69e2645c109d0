import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { serveAnswers } from "../../../../test/support/answering-server.ts";
import { openBoard } from "../../../../test/support/board.ts";
import { waitUntil } from "../../../../test/support/eventually.ts";
import { writeTemporary } from "../../../../test/support/import.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const ROOT = path.join(import.meta.dirname, "../../../..");
const environment = { ...process.env, DATABASE_URL: t.database.url, DATA_DIR: t.dataDir };
const program = [path.join(ROOT, "src/server/main.ts"), "import"];

type Result = { code: number; stdout: string; stderr: string };

/** Runs the command as an administrator does beside the server. */
const runCommand = (...args: string[]): Promise<Result> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [...program, ...args],
      { cwd: ROOT, env: environment },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

async function withFile<T>(content: string, use: (file: string) => Promise<T>): Promise<T> {
  const { file, remove } = await writeTemporary("tasks.csv", content);
  try {
    return await use(file);
  } finally {
    await remove();
  }
}

const rows = (count: number) =>
  `id,title,assignee\n${Array.from({ length: count }, (_, n) => `${n},Task ${n},Ada\n`).join("")}`;

const countIssues = async (projectId: number) => {
  const { count } = await t.db
    .selectFrom("issues")
    .select((query) => query.fn.countAll<string>().as("count"))
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

test("the counts go to stdout, everything else to stderr, and a dry run prints the same counts", async () => {
  const board = await openBoard(t, workspace);
  await withFile(`${rows(2)}3,,Ada\n`, async (file) => {
    const dry = await runCommand("csv", file, "--project", board.key, "--dry-run");
    assert.deepEqual([dry.code, await countIssues(board.id)], [3, 0]);
    const run = await runCommand("csv", file, "--project", board.key);
    assert.equal(run.code, 3);
    assert.equal(
      run.stdout,
      "Created: 2 issues, 0 reports, 0 error groups, 0 comments\nAlready there: 0\nLeft out: 1\n",
    );
    assert.equal(dry.stdout, run.stdout);
    assert.match(run.stderr, /^Left out: line 4: It has no title\.$/m);
    assert.match(run.stderr, /^Without an account in the project: Ada\./m);
    assert.match(dry.stderr, /^This was a dry run\. Nothing was imported\.$/m);
  });
});

test("exit code 0 says that everything was imported, and 1 that nothing was done, with the reason", async () => {
  const board = await openBoard(t, workspace);
  await withFile(rows(1), async (file) => {
    const options = ["--project", board.key];
    const refusal = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(...args);
      assert.deepEqual([code, stdout], [1, ""]);
      return stderr;
    };
    assert.match(
      await refusal("trello", file, ...options),
      /^There is no kind trello\. The kinds are sentry,/,
    );
    assert.match(await refusal("csv", `${file}x`, ...options), /^There is no file /);
    assert.match(await refusal("csv", file, "--project", "NOPE"), /^There is no project NOPE\./);
    assert.match(
      await refusal("csv", file, ...options, "--map", "title=Nope"),
      /^The file has no column Nope\./,
    );
    assert.match(
      await refusal("csv", file, ...options, "--as", "nobody@example.com"),
      /^nobody@example\.com cannot access /,
    );
    assert.equal(await countIssues(board.id), 0);
    const { code, stdout } = await runCommand("csv", file, ...options);
    assert.equal(code, 0, stdout);
  });
});

test("an import is recorded in the audit log, a dry run is not", async () => {
  const board = await openBoard(t, workspace);
  await withFile(rows(1), async (file) => {
    const audited = () =>
      t.db
        .selectFrom("audit_events")
        .select("kind")
        .where("subject_name", "=", board.key)
        .where("kind", "like", "import.%")
        .execute();
    assert.equal((await runCommand("csv", file, "--project", board.key, "--dry-run")).code, 0);
    assert.deepEqual(await audited(), []);
    assert.equal((await runCommand("csv", file, "--project", board.key)).code, 0);
    assert.deepEqual(await audited(), [{ kind: "import.started" }]);
  });
});

test("--people gives the addresses of names, and --as the author of comments", async () => {
  const board = await openBoard(t, workspace);
  await withFile(rows(1), async (file) => {
    await withFile(`name,email\nAda,${workspace.admin.email}\n`, async (people) => {
      const args = ["--project", board.key, "--people", people, "--as", workspace.admin.email];
      const { code, stderr } = await runCommand("csv", file, ...args);
      assert.equal(code, 0, stderr);
    });
  });
  const [issue] = (await board.admin.get(board.issues)).body.data;
  assert.equal(issue.assignee_id, workspace.admin.id);
});

test("an import that is interrupted says so with its counts, and continues when it is repeated", async () => {
  const board = await openBoard(t, workspace);
  const issues = Array.from({ length: 105 }, (_, n) => ({
    id: n + 1,
    number: n + 1,
    title: `Task ${n + 1}`,
  }));
  const waiting = Promise.withResolvers<void>();
  let isAnswered = false;
  const server = await serveAnswers(
    {},
    {
      intercept: (request, response) => {
        const isFirst = !request.url?.includes("page=2");
        // The second page is requested when the first 100 issues are committed.
        if (isFirst)
          response.setHeader(
            "link",
            `<http://${request.headers.host}/repos/shop/web/issues?page=2>; rel="next"`,
          );
        else if (!isAnswered) waiting.resolve();
        if (isFirst || isAnswered)
          response.end(JSON.stringify(isFirst ? issues.slice(0, 100) : issues.slice(100)));
        return true;
      },
    },
  );
  try {
    const args = ["github", `${server.origin}/repos/shop/web/issues`, "--project", board.key];
    const child = spawn(process.execPath, [...program, ...args], { cwd: ROOT, env: environment });
    const output = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    await Promise.race([waiting.promise, output]);
    child.kill("SIGINT");
    const [stdout, stderr, [code]] = await output;
    assert.equal(code, 3, stderr);
    assert.match(stderr, /^Stopped: The import was interrupted\. Repeat the command to continue\.$/m);
    assert.match(stdout, /^Created: 100 issues, /);
    isAnswered = true;
    const again = await runCommand(...args);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /^Created: 5 issues, .*\nAlready there: 100$/m);
    assert.equal(await countIssues(board.id), 105);
  } finally {
    await server.close();
  }
});

test("an import that is killed can be repeated: nothing is there twice and nothing is missing", async () => {
  const board = await openBoard(t, workspace);
  const total = 3_000;
  await withFile(rows(total), async (file) => {
    const args = ["csv", file, "--project", board.key];
    const child = spawn(process.execPath, [...program, ...args], {
      cwd: ROOT,
      env: environment,
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await waitUntil(async () => (await countIssues(board.id)) > 0);
    child.kill("SIGKILL");
    await ended;
    const before = await countIssues(board.id);
    assert.equal(before % 100, 0);
    const { code, stdout } = await runCommand(...args);
    assert.equal(code, 0);
    // The killed process may have committed another batch after the last count.
    const [, created = ""] = /^Created: ([\d,]+) issues/.exec(stdout) ?? [];
    const [, known = ""] = /^Already there: ([\d,]+)$/m.exec(stdout) ?? [];
    assert.equal(Number(created.replaceAll(",", "")) + Number(known.replaceAll(",", "")), total);
    assert.equal(await countIssues(board.id), total);
    const { rows: titles } = await t.database.pool.query<{ count: number }>(
      "select count(distinct title)::int from issues where project_id = $1",
      [board.id],
    );
    assert.deepEqual(titles, [{ count: total }]);
  });
});

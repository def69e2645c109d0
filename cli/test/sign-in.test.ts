import assert from "node:assert/strict";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, test } from "node:test";
import { serve } from "../../test/support/live-streams.ts";
import { makePersonalToken, makeProject, makeProjectToken, makeWorkspace } from "../../test/support/make.ts";
import { useTestApp } from "../../test/support/test-app.ts";
import { useCommandLine } from "./support/command-line.ts";

const t = await useTestApp();
const url = await serve(t);
const { id: workspaceId, admin } = await makeWorkspace(t.db);
const project = await makeProject(t.db, workspaceId);
const token = await makePersonalToken(t.db, admin.id);
const { sbx, config, folder } = await useCommandLine();
beforeEach(() => rm(config, { force: true }));

const stored = async () => JSON.parse(await readFile(config, "utf8"));
const login = () => sbx(["login", url], { input: `${token}\n` });

test("login reads a token from stdin and stores it in a file that only the user can read", async () => {
  const { code, stdout, stderr } = await login();
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, new RegExp(`^Signed in to ${url} as Ada Moss \\(${admin.username}\\)\\.`));
  assert.deepEqual(await stored(), { url, token });
  assert.equal((await stat(config)).mode & 0o777, 0o600);
  assert.equal((await stat(path.dirname(config))).mode & 0o777, 0o700);
});

test("login replaces a file that others could read by one that they cannot", async () => {
  await mkdir(path.dirname(config), { recursive: true });
  await writeFile(config, "{}", { mode: 0o644 });
  assert.equal((await login()).code, 0);
  assert.equal((await stat(config)).mode & 0o777, 0o600);
});

test("a token that is not valid is not stored, and not repeated", async () => {
  const wrong = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
  const { code, stdout, stderr } = await sbx(["login", url], { input: wrong });
  assert.deepEqual([code, stdout], [3, ""]);
  assert.match(stderr, /^sbx: The token is not valid for http/);
  assert.ok(!stderr.includes(wrong));
  await assert.rejects(stored());
});

test("a token with a line break or a space is refused without being repeated", async () => {
  const { code, stderr } = await sbx(["login", url, "--token", "sbx_pat_a b"]);
  assert.equal(code, 2);
  assert.ok(!stderr.includes("sbx_pat"));
});

test("a token in the place of another argument is not repeated", async () => {
  for (const args of [["login", url, token], [token], ["error", "1", token], ["errors", `--${token}`]]) {
    const { code, stdout, stderr } = await sbx(args, { env: { SIGNALBOX_URL: url } });
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.ok(!stderr.includes(token.slice(8)), args[0]);
  }
});

test("login without a token says how to give one", async () => {
  const { code, stderr } = await sbx(["login", url]);
  assert.equal(code, 2);
  assert.match(stderr, /SIGNALBOX_TOKEN/);
});

test("whoami shows the server, the user and the project, never the token", async () => {
  await login();
  const { code, stdout } = await sbx(["whoami", "-p", "WEB"]);
  assert.deepEqual([code, stdout], [0, `server: ${url}\nuser: Ada Moss (${admin.username})\nproject: WEB\n`]);
  const { stdout: json } = await sbx(["whoami", "--json"]);
  assert.equal(JSON.parse(json).id, admin.id);
  assert.ok(!json.includes(token));
});

test("a project token signs in, too", async () => {
  const env = { SIGNALBOX_URL: url, SIGNALBOX_TOKEN: await makeProjectToken(t.db, project.id, admin.id) };
  const { code, stdout } = await sbx(["whoami"], { env });
  assert.equal(code, 0);
  assert.match(stdout, /^user: a project token$/m);
});

test("logout deletes the stored token", async () => {
  await login();
  assert.equal((await sbx(["logout"])).code, 0);
  await assert.rejects(stored());
  assert.equal((await sbx(["whoami"])).code, 3);
});

test("the environment takes precedence over what is stored, and options over the environment", async () => {
  const other = await makeWorkspace(t.db);
  const theirs = await makePersonalToken(t.db, other.admin.id);
  await login();
  const nameWith = async (args: string[], env: Record<string, string> = {}) =>
    JSON.parse((await sbx(["whoami", "--json", ...args], { env })).stdout).username;
  assert.equal(await nameWith([], { SIGNALBOX_TOKEN: theirs }), other.admin.username);
  assert.equal(await nameWith(["--token", token], { SIGNALBOX_TOKEN: theirs }), admin.username);
});

test("a stored token is not sent to another server", async () => {
  await login();
  const { code, stderr } = await sbx(["whoami", "--url", "http://127.0.0.1:2"]);
  assert.equal(code, 3);
  assert.match(stderr, /There is no token for http:\/\/127\.0\.0\.1:2\./);
});

test("use stores the project, --here writes it for a folder, and the environment takes precedence", async () => {
  await login();
  const below = path.join(folder, "below/deeper");
  await mkdir(below, { recursive: true });
  const projectIn = async (cwd: string, env = {}) =>
    /^project: (.*)$/m.exec((await sbx(["whoami"], { cwd, env })).stdout)?.[1];
  assert.equal((await sbx(["use", project.key])).code, 0);
  assert.equal(await projectIn(below), project.key);
  await writeFile(
    path.join(folder, "below/.sbx.json"),
    JSON.stringify({ project: "SHOP", url: "http://127.0.0.1:2" }),
  );
  assert.equal(await projectIn(below), "SHOP");
  assert.equal(await projectIn(below, { SIGNALBOX_PROJECT: "APP" }), "APP");
  assert.equal((await sbx(["use", project.key, "--here"], { cwd: below })).code, 0);
  assert.deepEqual(JSON.parse(await readFile(path.join(below, ".sbx.json"), "utf8")), {
    project: project.key,
  });
});

test("use with an unknown project stores nothing, and without a key it lists the projects", async () => {
  await login();
  assert.equal((await sbx(["use", "NOPE"])).code, 4);
  assert.deepEqual(await stored(), { url, token });
  assert.ok((await sbx(["use"])).stdout.includes(`${project.key}\tProject ${project.key}\n`));
});

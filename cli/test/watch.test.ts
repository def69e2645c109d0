import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { openBoard } from "../../test/support/board.ts";
import { waitUntil } from "../../test/support/eventually.ts";
import { LIVE, serve } from "../../test/support/live-streams.ts";
import { makePersonalToken, makeWorkspace } from "../../test/support/make.ts";
import { openAppOn, openTestApp } from "../../test/support/test-app.ts";
import { useCommandLine } from "./support/command-line.ts";

const t = await openTestApp({}, { live: LIVE });
let server = await openAppOn(t.database.url, {}, { live: LIVE });
const url = await serve(server);
const { port } = server.app.server.address() as AddressInfo;
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);
const token = await makePersonalToken(t.db, workspace.admin.id);
const { start, sbx } = await useCommandLine({ SIGNALBOX_URL: url, SIGNALBOX_TOKEN: token });
after(async () => {
  await server.close();
  await t.close();
});

async function watch(...args: string[]) {
  const program = start(["watch", ...args]);
  await waitUntil(() => program.stderr().includes("Connected to"), "connected");
  return program;
}

const end = async (program: Awaited<ReturnType<typeof watch>>) => {
  program.child.kill();
  await program.ended;
};

test("watch prints a change in words, without control sequences", async () => {
  const program = await watch("--kind", "issue");
  await board.make({ title: "Prices \u202eare wrong" });
  await waitUntil(() => program.stdout().includes("are wrong"));
  assert.match(
    program.stdout(),
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d issue ${board.key}-\\d+: Prices are wrong\n`),
  );
  await end(program);
});

test("watch --json prints one object per line, and only those of the project", async () => {
  const other = await openBoard(t, workspace);
  const program = await watch("--json", "--kind", "issue", "--project", board.key);
  await other.make();
  const { id } = await board.make();
  const lines = () =>
    program
      .stdout()
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  await waitUntil(() => lines().some((change) => change.id === id));
  assert.deepEqual(lines()[0], { kind: "issue", project_id: board.id, id });
  await end(program);
});

test("watch connects again after a restart of the server and prints what it missed", async () => {
  const program = await watch("--json", "--kind", "issue");
  const first = await board.make();
  await waitUntil(() => program.stdout().includes(`"id":${first.id}}`));
  await server.close();
  await waitUntil(() => program.stderr().includes("The connection was lost"));
  const missed = await board.make();
  server = await openAppOn(t.database.url, {}, { live: LIVE });
  await server.app.listen({ port, host: "127.0.0.1" });
  await waitUntil(() => program.stdout().includes(`"id":${missed.id}}`));
  const later = await board.make();
  await waitUntil(() => program.stdout().includes(`"id":${later.id}}`));
  await end(program);
});

test("watch ends if the token is not valid, or the server cannot be reached", async () => {
  assert.equal((await sbx(["watch", "--token", "sbx_pat_x"])).code, 3);
  assert.equal((await sbx(["watch", "--url", "http://127.0.0.1:2"])).code, 5);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeMember, makePersonalToken } from "../../test/support/make.ts";
import { useSignedIn } from "./support/signed-in.ts";

const s = await useSignedIn();
const { sbx, json } = s;

beforeEach(async () => {
  const schedule = { type: "interval", value: 1, unit: "day" };
  const { status } = await s.board.admin.post(`${s.board.url}/monitors`, { name: "Backup", schedule });
  assert.equal(status, 201);
});

type CheckIn = { status: string; environment: string; text: string | null; check_in_id: string };
const checkIns = async (): Promise<CheckIn[]> =>
  (await s.board.admin.get(`${s.board.url}/monitors/backup/check-ins`)).body.data;

/** A job that only ends, with this code. */
const job = (code: number) => ["--", process.execPath, "--eval", `process.exit(${code})`];

test("monitors are listed with their status", async () => {
  assert.equal((await sbx(["monitors"])).stdout, "backup\t\twaiting\t\tBackup\n");
  assert.equal((await sbx(["monitors", "ping", "backup"])).stdout, "Monitor backup: ok.\n");
  assert.match((await sbx(["monitors"])).stdout, /^backup\tproduction\tok\t\S+\tBackup\n$/);
});

test("monitors ping sends a check-in with its status, environment and text", async () => {
  const args = ["--status", "error", "-e", "staging", "--message", "Disk full"];
  const monitor = await json(["monitors", "ping", "backup", ...args]);
  assert.equal(monitor.environments[0].status, "failing");
  const [{ status, environment, text } = assert.fail()] = await checkIns();
  assert.deepEqual([status, environment, text], ["error", "staging", "Disk full"]);
});

test("monitors ping works with a project token, and not for those who may only read", async () => {
  assert.equal((await sbx(["monitors", "ping", "backup"], { env: { SIGNALBOX_TOKEN: s.sender } })).code, 0);
  const viewer = await makeMember(s.t.db, s.board.id, { role: "Viewer" });
  const env = { SIGNALBOX_TOKEN: await makePersonalToken(s.t.db, viewer.id) };
  const { code, stderr } = await sbx(["monitors", "ping", "backup"], { env });
  assert.equal(code, 1);
  assert.match(stderr, /error-groups:update/);
  assert.equal((await checkIns()).length, 1);
});

test("monitors ping refuses an unknown status and an unknown monitor", async () => {
  assert.equal((await sbx(["monitors", "ping", "backup", "--status", "fine"])).code, 2);
  assert.equal((await sbx(["monitors", "ping", "other"])).code, 4);
  assert.deepEqual(await checkIns(), []);
});

test("monitors run reports one run and ends with the exit code of the command", async () => {
  const { code } = await sbx(["monitors", "run", "backup", ...job(7)]);
  assert.equal(code, 7);
  assert.deepEqual(
    (await checkIns()).map(({ status }) => status),
    ["error"],
  );
  assert.equal((await sbx(["monitors", "run", "backup", ...job(0)])).code, 0);
  assert.deepEqual(
    (await checkIns()).map(({ status }) => status),
    ["ok", "error"],
  );
});

test("monitors run passes on the output of the command, and its options", async () => {
  const args = ["--", process.execPath, "--eval", "console.log(process.argv.slice(1))", "--", "--json", "-e"];
  const { stdout } = await sbx(["monitors", "run", "backup", ...args]);
  assert.equal(stdout, "[ '--json', '-e' ]\n");
});

test("monitors run runs the command although its check-ins fail", async () => {
  const { code, stderr } = await sbx(["monitors", "run", "unknown", ...job(3)]);
  assert.equal(code, 3);
  assert.match(stderr, /^sbx: the check-in failed: There is no such monitor\.$/m);
});

test("a command that does not exist is exit code 127, and a failed run", async () => {
  assert.equal((await sbx(["monitors", "run", "backup", "--", "no-such-command"])).code, 127);
  assert.deepEqual(
    (await checkIns()).map(({ status }) => status),
    ["error"],
  );
});

test("monitors run without a command is wrong usage", async () => {
  assert.equal((await sbx(["monitors", "run", "backup"])).code, 2);
  assert.deepEqual(await checkIns(), []);
});

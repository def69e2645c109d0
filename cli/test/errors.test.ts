import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMember, makePersonalToken } from "../../test/support/make.ts";
import { useSignedIn } from "./support/signed-in.ts";

const s = await useSignedIn();
const { sbx, json } = s;

const trace = (n: number) => `#0 /srv/app/src/Place${n}.php(12): run()`;

test("errors are listed as tab-separated lines without a header when stdout is not a terminal", async () => {
  const id = await s.makeError({ exception_class: "CartError", message: "No price" });
  const { code, stdout, stderr } = await sbx(["errors"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const [line = "", ...others] = stdout.trimEnd().split("\n");
  assert.deepEqual(others, []);
  const [listed, status, events, users, seen, title] = line.split("\t");
  assert.deepEqual(
    [listed, status, events, users, title],
    [String(id), "open", "1", "", "CartError: No price"],
  );
  assert.match(seen ?? "", /^\d{4}-\d\d-\d\dT/);
});

test("--json prints the API's objects, and filters are passed on", async () => {
  const id = await s.makeError({ release: "1.0", stack_trace: trace(1) });
  await s.makeError({ release: "2.0", stack_trace: trace(2) });
  const groups = await json(["errors", "--release", "1.0"]);
  assert.deepEqual(
    groups.map((group: { id: number }) => group.id),
    [id],
  );
  assert.deepEqual(await json(["errors", "--status", "resolved"]), []);
  assert.equal((await json(["errors", "--status", "all"])).length, 2);
});

test("--limit reads as many pages as it needs, and says if there are more", async () => {
  for (let n = 0; n < 103; n++) await s.sendEvent({ stack_trace: trace(n) });
  assert.equal((await json(["errors", "--limit", "all"])).length, 103);
  assert.equal((await json(["errors", "--limit", "101"])).length, 101);
  const { stdout, stderr } = await sbx(["errors"]);
  assert.equal(stdout.trimEnd().split("\n").length, 50);
  assert.match(stderr, /--limit/);
  assert.equal((await sbx(["errors", "--limit", "0"])).code, 2);
});

test("an error is shown with its trace, whatever the current project is", async () => {
  const id = await s.makeError({ message: "No price", release: "1.0" });
  const { code, stdout } = await sbx(["error", `SIGNALBOX-E${id}`], { env: { SIGNALBOX_PROJECT: "" } });
  assert.equal(code, 0);
  assert.match(stdout, /^RuntimeException: No price\nid: \d+\nstatus: open\n/);
  assert.match(stdout, /#0 \/var\/www\/app\/src\/Checkout\.php\(12\)/);
  assert.equal((await json(["error", String(id)])).latest_message, "No price");
});

test("resolve, reopen and ignore change the status", async () => {
  const id = String(await s.makeError());
  assert.match((await sbx(["resolve", id])).stdout, new RegExp(`^Error ${id} is resolved: RuntimeException`));
  assert.equal((await json(["reopen", id])).status, 0);
  assert.deepEqual((await json(["resolve", id, "--next-release"])).resolved_in, {
    mode: "next_release",
    release: null,
  });
  assert.deepEqual((await json(["resolve", id, "--release", "4.13.0"])).resolved_in, {
    mode: "release",
    release: "4.13.0",
  });
  assert.equal((await json(["ignore", id])).status, 2);
  assert.equal((await json(["ignore", id, "--events", "10"])).snoozed_until.occurrences, 10);
});

test("wrong values name the option and change nothing", async () => {
  const id = String(await s.makeError());
  const past = await sbx(["ignore", id, "--until", "2020-01-01T00:00:00Z"]);
  assert.deepEqual([past.code, past.stderr], [1, "sbx: --until must be in the future.\n"]);
  assert.equal((await sbx(["resolve", id, "--release", ""])).code, 2);
  assert.equal((await sbx(["resolve", id, "--release", "1", "--next-release"])).code, 2);
  assert.equal((await sbx(["errors", "--status", "closed"])).code, 2);
  assert.equal((await json(["error", id])).status, 0);
});

test("an unknown error is exit code 4, and one that may only be read is 1", async () => {
  assert.equal((await sbx(["error", "999999999"])).code, 4);
  assert.equal((await sbx(["resolve", "abc"])).code, 2);
  const id = String(await s.makeError());
  const viewer = await makeMember(s.t.db, s.board.id, { role: "Viewer" });
  const env = { SIGNALBOX_TOKEN: await makePersonalToken(s.t.db, viewer.id) };
  assert.equal((await sbx(["error", id], { env })).code, 0);
  assert.equal((await sbx(["resolve", id], { env })).code, 1);
});

const HOSTILE = "\u001b]0;owned\u0007\u001b[2J\u009b31mred\u001b[0m\r\nSecond\u202eline\u007f";

test("control sequences in texts from outside do not reach the output", async () => {
  const id = String(
    await s.makeError({ exception_class: "HostileError", message: HOSTILE, stack_trace: HOSTILE }),
  );
  for (const args of [["errors"], ["error", id], ["resolve", id], ["errors", "--json", "--status", "all"]]) {
    const { code, stdout } = await sbx(args);
    assert.equal(code, 0);
    assert.match(stdout, /HostileError/);
    // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
    assert.doesNotMatch(stdout, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/, args.join(" "));
  }
  assert.equal((await sbx(["errors", "--status", "all"])).stdout.trimEnd().split("\n").length, 1);
  assert.equal((await json(["error", id])).latest_message, HOSTILE);
});

test("there are colors with FORCE_COLOR only", async () => {
  const id = String(await s.makeError());
  const colored = async (env: Record<string, string>) =>
    (await sbx(["error", id], { env })).stdout.includes("\u001b[");
  assert.equal(await colored({}), false);
  assert.equal(await colored({ FORCE_COLOR: "1" }), true);
  assert.equal(await colored({ FORCE_COLOR: "0" }), false);
  assert.equal(await colored({ NO_COLOR: "1" }), false);
});

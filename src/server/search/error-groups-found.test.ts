import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../../../test/support/error-events.ts";
import { makeWorkspace } from "../../../test/support/make.ts";
import { found, hits, openSearched } from "../../../test/support/search.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openSearched(t, workspace);
const only = (board: { id: number }) => `&project_id=${board.id}`;

test("an error group is found by any parts of its class name, in any order, and by its latest message", async () => {
  const board = await open();
  const id = await board.group("App\\Http\\NotFoundHttpException", "No route for /pelican");
  await board.group("App\\Mail\\TransportException", "Refused");
  const hit: [string, number][] = [["error_group", id]];
  for (const query of [
    "notfound",
    "NotFoundHttp",
    "foundhtt",
    "App\\Http",
    "exception http",
    "pelican",
    "/pel",
  ])
    assert.deepEqual(await found(board.admin, query, only(board)), hit, query);
  const short = await found(board.admin, "ht", only(board));
  assert.deepEqual(short, hit);
});

test("a group is found by its latest message, not by earlier ones", async () => {
  const board = await open();
  const sent = {
    exception_class: "TornException",
    environment: "production",
    stack_trace: "#0 /a.php(1): b()",
  };
  const { token } = (await board.admin.post(`${board.url}/tokens`, { name: "app", access: "read_write" }))
    .body;
  for (const message of ["a gannet", "a fulmar"])
    assert.equal(
      (await t.http.as(token).post(`${board.url}/error-events`, { ...sent, message })).status,
      202,
    );
  assert.deepEqual(await found(board.admin, "gannet"), []);
  const [hit] = await hits(board.admin, "fulmar");
  assert.deepEqual([hit?.title, hit?.excerpt], ["TornException", "a fulmar"]);
});

test("a repeated error writes nothing to the index of class names, and deleting a group deletes its row there", async () => {
  const board = await open();
  const { token } = (await board.admin.post(`${board.url}/tokens`, { name: "app", access: "read_write" }))
    .body;
  const send = async (message: string) => {
    const event = anEvent({ exception_class: "App\\SandpiperException", message });
    assert.equal((await t.http.as(token).post(`${board.url}/error-events`, event)).status, 202);
    return (await hits(board.admin, message, only(board)))[0]?.id;
  };
  const id = await send("at first");
  const rows = async () =>
    (
      await sql`select xmin::text, exception_class from error_group_classes where group_id = ${id}`.execute(
        t.db,
      )
    ).rows;
  const before = await rows();
  assert.equal(before.length, 1);
  assert.equal(await send("once more"), id);
  assert.deepEqual(await rows(), before);
  await t.db.deleteFrom("error_groups").where("id", "=", Number(id)).execute();
  assert.deepEqual(await rows(), []);
});

test("a misspelled class name is found if nothing else matches", async () => {
  const board = await open();
  const id = await board.group("App\\ConnectionTimeoutException");
  assert.deepEqual(await found(board.admin, "conectiontimeout", only(board)), [["error_group", id]]);
  assert.deepEqual(await found(board.admin, "conectiontimeout", `${only(board)}&kind=issue`), []);
  const issue = await board.make({ title: "conectiontimeout" });
  assert.deepEqual(await found(board.admin, "conectiontimeout", only(board)), [["issue", issue.id]]);
});

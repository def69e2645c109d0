import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openSearched, type Searched } from "../../../../test/support/search.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { SimilarItem } from "../../../shared/similar.ts";
import { writeTerms } from "./write-terms.ts";

const t = await useTestApp();
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let board: Searched;
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  board = await openSearched(t, workspace);
});

const report = (title: string, description = "It happens each time.") =>
  board.created("/reports", { title, description });

async function similar(texts: Record<string, string>, by: Client = board.admin): Promise<SimilarItem[]> {
  const answer = await by.get(`${board.url}/similar?${new URLSearchParams(texts).toString()}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const ids = async (texts: Record<string, string>) => (await similar(texts)).map(({ id }) => id);

test("a report, an issue and an error are found by the words of their titles, each with what a list of them shows", async () => {
  const { id } = await report("Payment gateway times out");
  const issue = await board.make({ title: "Retry when the payment gateway times out" });
  const group = await board.group("GatewayTimeout", "The payment gateway timed out");
  const items = await similar({ title: "Payment gateway times out" });
  assert.deepEqual(
    items.map(({ score: _score, ...item }) => item),
    [
      { kind: "report", id, key: null, title: "Payment gateway times out", state: "active" },
      { kind: "issue", id: issue.id, key: issue.key, title: issue.title, state: "backlog" },
      {
        kind: "error_group",
        id: group,
        key: null,
        title: "GatewayTimeout: The payment gateway timed out",
        state: "open",
      },
    ],
  );
  const scores = items.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  assert.ok(scores.every((score) => score > 0 && score <= 1));
});

test("there are at most five, the best first", async () => {
  for (let n = 0; n < 4; n++) await report("The coupon field loses its value");
  for (let n = 0; n < 4; n++) await board.make({ title: "The coupon field loses its value" });
  const { id } = await report("Coupon field loses value after reload", "After a reload it is empty.");
  const items = await similar({
    title: "Coupon field loses value after reload",
    description: "After a reload it is empty.",
  });
  assert.equal(items.length, 5);
  assert.equal(items[0]?.id, id);
});

test("texts that have little in common are not similar", async () => {
  await report("Please add a dark mode", "The settings are too bright for me at night.");
  await board.make({ title: "Export all invoices as CSV" });
  assert.deepEqual(await similar({ title: "The checkout button does not react" }), []);
  assert.deepEqual(await similar({ title: "xylophone" }), []);
});

test("case, accents and ß do not matter", async () => {
  const { id } = await report("GRÖSSE DER STRASSENKARTE ÄNDERN");
  const cafe = await report("Café crème is not displayed");
  assert.deepEqual(await ids({ title: "große der Straßenkarte andern" }), [id]);
  assert.deepEqual(await ids({ title: "CAFE CREME" }), [cafe.id]);
});

test("a typing error does not matter", async () => {
  const { id } = await report("Forgotten password cannot be restored");
  assert.deepEqual(await ids({ title: "Forgoten pasword" }), [id]);
});

test("items are found by their text, and by the first 2,000 characters of the description", async () => {
  const { id } = await report("Help", "The thermostat calibration wizard freezes in the second step.");
  const description = "Our thermostat calibration wizard freezes. Which step is missing?";
  assert.deepEqual(await ids({ title: "Problem", description }), [id]);
  assert.deepEqual(await ids({ description }), [id]);
  assert.deepEqual(await ids({ title: "Problem", description: " ".repeat(2_000) + description }), []);
});

test("items are found in every state", async () => {
  const dismissed = await report("Tooltip covers the toolbar");
  const promoted = await report("Tooltip covers the toolbar");
  const dismiss = await board.admin.post(`${board.url}/reports/${dismissed.id}/dismiss`, {
    category: "invalid",
  });
  assert.equal(dismiss.status, 200);
  const promote = {
    report_ids: [promoted.id],
    title: "Move the tooltip",
    description: "It covers the toolbar.",
  };
  assert.equal((await board.admin.post(`${board.url}/reports/promote`, promote)).status, 200);
  const issue = await board.make({ title: "Tooltip covers the toolbar", lane_id: board.lanes.done });
  const items = await similar({ title: "Tooltip covers the toolbar" });
  const stateOf = (id: number, kind: string) =>
    items.find((item) => item.id === id && item.kind === kind)?.state;
  assert.deepEqual(
    [stateOf(dismissed.id, "report"), stateOf(promoted.id, "report"), stateOf(issue.id, "issue")],
    ["dismissed", "promoted", "done"],
  );
});

test("a changed title is found, and the previous one is not", async () => {
  const { id } = await board.make({ title: "Upload stalls behind proxies" });
  assert.equal((await board.admin.patch(`${board.issues}/${id}`, { title: "Sidebar flickers" })).status, 200);
  assert.deepEqual(await ids({ title: "Upload stalls behind proxies" }), []);
  assert.deepEqual(await ids({ title: "Sidebar flickers" }), [id]);
});

test("the report that is being triaged and items of other projects are left out", async () => {
  const { id } = await report("Avatar is upside down");
  const other = await openSearched(t, workspace);
  await other.created("/reports", { title: "Avatar is upside down", description: "Yes" });
  assert.deepEqual(await ids({ title: "Avatar is upside down" }), [id]);
  assert.deepEqual(await ids({ title: "Avatar is upside down", except_report_id: String(id) }), []);
});

test("only kinds are found that the caller may read", async () => {
  await board.fill("Avatar is upside down");
  await report("Avatar is upside down");
  await board.make({ title: "Avatar is upside down" });
  await board.group("AvatarError", "Avatar is upside down");
  const kindsFor = async (by: Client) =>
    [...new Set((await similar({ title: "Avatar is upside down" }, by)).map(({ kind }) => kind))].sort();
  const memberWith = async (...permissions: string[]) => {
    const user = await makeMember(t.db, board.id, { role: { permissions } });
    return t.http.as(await makePersonalToken(t.db, user.id));
  };
  assert.deepEqual(await kindsFor(board.admin), ["error_group", "issue", "report"]);
  assert.deepEqual(await kindsFor(await memberWith("issues:read")), ["issue"]);
  assert.deepEqual(await kindsFor(await memberWith("reports:read", "error-groups:read")), [
    "error_group",
    "report",
  ]);
  const token = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  assert.deepEqual(await kindsFor(token), ["error_group", "report"]);
  const none = await (await memberWith("epics:read")).get(`${board.url}/similar?title=Avatar`);
  assert.equal(none.status, 403);
});

test("kinds whose feature is off are left out", async () => {
  await report("Avatar is upside down");
  const { id } = await board.make({ title: "Avatar is upside down" });
  const features = { reports: false, error_tracking: false };
  const off = await board.admin.patch(`/api/workspaces/${workspace.id}`, { features });
  assert.equal(off.status, 200, off.text);
  assert.deepEqual(
    (await similar({ title: "Avatar is upside down" })).map((item) => [item.kind, item.id]),
    [["issue", id]],
  );
});

test("without a text the response is 422 on title, and empty if the texts are blank", async () => {
  const answer = await board.admin.get(`${board.url}/similar`);
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["title"]]);
  assert.deepEqual(await similar({ title: " " }), []);
  assert.deepEqual(await similar({ title: "", description: "\n" }), []);
  assert.deepEqual(await similar({ title: "!?", description: "…" }), []);
  for (const query of ["title=a&except_report_id=x", "title=a&title=b"])
    assert.equal((await board.admin.get(`${board.url}/similar?${query}`)).status, 422);
});

test("texts from before the update are found once the job has read them", async () => {
  const { id } = await report("Calendar shows the wrong week");
  const issue = await board.make({ title: "Calendar shows the wrong week" });
  const group = await board.group("CalendarError", "Calendar shows the wrong week");
  const title = "Calendar shows the wrong week";
  assert.equal((await similar({ title })).length, 3);
  await sql`truncate report_terms, issue_terms, error_group_terms`.execute(t.db);
  assert.deepEqual(await similar({ title }), []);
  await sql`
    insert into terms_backfills select kind, 0, last_id from (values ('report', ${id}::bigint), ('issue', ${issue.id}),
      ('error_group', ${group})) texts (kind, last_id)`.execute(t.db);
  await writeTerms(t.db);
  assert.equal((await similar({ title })).length, 3);
  assert.deepEqual(await t.db.selectFrom("terms_backfills").selectAll().execute(), []);
});

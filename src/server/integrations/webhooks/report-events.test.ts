import assert from "node:assert/strict";
import { test } from "node:test";
import { openOutsideReports, type OutsideReport } from "../../../../test/support/outside-reports.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { notifyDoneReports } from "../../errors/releases/notify-done-reports.ts";

const t = await useTestApp();

type Queued = { type: string; actor: { id: number } | null; data: Record<string, unknown> };

/** A project that gets reports from outside, and the events that a webhook for these names gets. */
async function subscribe(...events: string[]) {
  const p = await openOutsideReports(t);
  const url = `/api/projects/${p.id}/webhooks`;
  const created = await p.admin.post(url, { url: "https://hooks.example.com/in", events });
  assert.equal(created.status, 201, created.text);
  const queued = async (): Promise<Queued[]> => {
    const { data } = (await p.admin.get(`${url}/${created.body.id}/deliveries`)).body;
    return data.toReversed().map(({ request }: { request: { body: string } }) => JSON.parse(request.body));
  };
  const dismiss = async ({ path }: OutsideReport, body: object) => {
    const answer = await p.admin.post(`${path}/dismiss`, body);
    assert.equal(answer.status, 200, answer.text);
  };
  const deploy = async (version: string) =>
    assert.equal((await p.admin.post(`/api/projects/${p.id}/releases`, { version })).status, 201);
  return { ...p, queued, dismiss, deploy };
}

const ids = (queued: Queued[]) => queued.map(({ data }) => Number(data["id"])).toSorted((a, b) => a - b);

/** Several servers run the job. */
const runJob = () => Promise.all([notifyDoneReports(t.db), notifyDoneReports(t.db)]);

test("report.done is sent once, when the issue is released, with the report as its GET route returns it", async () => {
  const p = await subscribe("report.done");
  await p.deploy("4.12.0");
  const { report, path } = await p.send();
  await p.move(await p.promote(report), "done");
  await runJob();
  assert.deepEqual(await p.queued(), [], "nothing was released since");
  await p.deploy("4.13.0");
  await runJob();
  await runJob();
  const [event, ...others] = await p.queued();
  assert.deepEqual(others, []);
  const { watching: _, ...expected } = (await p.admin.get(path)).body;
  assert.deepEqual([event?.type, event?.actor, event?.data], ["report.done", null, expected]);
});

test("report.done is sent for the duplicates of a report that is done, too", async () => {
  const p = await subscribe("report.done");
  const [original, duplicate, indirect] = [await p.send(), await p.send(), await p.send()];
  for (const [report, of] of [
    [duplicate, original],
    [indirect, duplicate],
  ] as const)
    await p.dismiss(report, { category: "duplicate", duplicate_of: { report_id: of.report.id } });
  await p.move(await p.promote(original.report), "done");
  await runJob();
  assert.deepEqual(ids(await p.queued()), [original.report.id, duplicate.report.id, indirect.report.id]);
});

test("report.done is sent when a report is dismissed as already shipped, and not when it is dismissed otherwise", async () => {
  const p = await subscribe("report.done");
  const [shipped, invalid] = [await p.send(), await p.send()];
  await p.dismiss(shipped, { category: "already-shipped" });
  await p.dismiss(invalid, { category: "invalid" });
  await runJob();
  assert.deepEqual(ids(await p.queued()), [shipped.report.id]);
});

test("report.replied is sent for a public reply and for a message of the reporter, not for an internal comment", async () => {
  const p = await subscribe("report.replied");
  const { report, path, api } = await p.send();
  const comment = (content: string, is_public: boolean) =>
    p.admin.post(`${path}/comments`, { content, is_public });
  assert.equal((await comment("Internal", false)).status, 201);
  assert.equal((await comment("We are on it", true)).status, 201);
  assert.equal((await t.http.post(`${api}/messages`, { content: "Thank you" })).status, 201);
  const queued = await p.queued();
  assert.deepEqual(ids(queued), [report.id, report.id]);
  assert.deepEqual(
    queued.map(({ actor }) => actor === null),
    [false, true],
    "the reporter has no account",
  );
});

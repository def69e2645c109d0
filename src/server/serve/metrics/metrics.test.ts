import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../../../../test/support/error-events.ts";
import {
  makePersonalToken,
  makeProjectToken,
  makeUser,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { openTestApp, useTestApp } from "../../../../test/support/test-app.ts";
import { outcomeOf } from "../../http/observe-requests.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** The value of a sample by its full name; 0 if there is none yet. */
async function sample(name: string): Promise<number> {
  const answer = await t.http.get("/api/metrics");
  assert.equal(answer.status, 200);
  const line = answer.text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

test("the metrics are in the text format of Prometheus and include those of the process", async () => {
  const answer = await t.http.get("/api/metrics");
  assert.equal(answer.status, 200);
  assert.match(answer.headers["content-type"] ?? "", /^text\/plain; version=0\.0\.4/);
  for (const name of [
    "process_cpu_seconds_total",
    "nodejs_eventloop_lag_seconds",
    "signalbox_pool_connections",
  ])
    assert.match(answer.text, new RegExp(`^# TYPE ${name} `, "m"));
  const names = answer.text.match(/^# TYPE \S+/gm) ?? [];
  assert.equal(new Set(names).size, names.length, "a metric is listed twice");
});

test("a request is counted by its route's pattern, not by its URL", async () => {
  const token = await makePersonalToken(t.db, workspace.admin.id);
  const name = `signalbox_http_request_seconds_count{method="GET",route="/api/workspaces/:workspaceId",status="2xx"}`;
  const before = await sample(name);
  await t.http.as(token).get(`/api/workspaces/${workspace.id}?secret=word`);
  assert.equal(await sample(name), before + 1);
  const { text } = await t.http.get("/api/metrics");
  assert.doesNotMatch(text, /secret|\/api\/workspaces\/\d/);
});

test("all URLs without a route count as one route", async () => {
  const name = `signalbox_http_request_seconds_count{method="GET",route="none",status="4xx"}`;
  const before = await sample(name);
  await t.http.get("/api/nothing-1");
  await t.http.get("/api/nothing-2");
  assert.equal(await sample(name), before + 2);
});

test("each error event is counted by its outcome", async () => {
  const project = await openProject(t, workspace);
  const outcome = (name: string) => sample(`signalbox_ingest_events_total{outcome="${name}"}`);
  const before = {
    accepted: await outcome("accepted"),
    invalid: await outcome("invalid"),
    forbidden: await outcome("forbidden"),
    batches: await sample("signalbox_ingest_batch_events_sum"),
  };
  await project.send();
  await project.send();
  await project.sender.post(project.events, anEvent({ environment: 7 }));
  await project.sender.send({
    method: "POST",
    url: project.events,
    payload: "{",
    headers: { "content-type": "application/json" },
  });
  const reading = await makeProjectToken(t.db, project.id, workspace.admin.id, { access: "read" });
  await t.http.as(reading).post(project.events, anEvent());
  assert.equal(await outcome("accepted"), before.accepted + 2);
  assert.equal(await outcome("invalid"), before.invalid + 2);
  assert.equal(await outcome("forbidden"), before.forbidden + 1);
  assert.equal(await sample("signalbox_ingest_batch_events_sum"), before.batches + 2);
});

for (const [status, outcome] of [
  [202, "accepted"],
  [400, "invalid"],
  [401, "forbidden"],
  [403, "forbidden"],
  [404, "forbidden"],
  [413, "too_large"],
  [415, "invalid"],
  [422, "invalid"],
  [429, "limited"],
  [500, "error"],
  [503, "overloaded"],
] as const)
  test(`an error event with response ${status} counts as ${outcome}`, () => {
    assert.equal(outcomeOf(status), outcome);
  });

test("the length of the mail queue is the number of queued emails", async () => {
  const before = await sample('signalbox_queue_length{queue="mail"}');
  await t.db
    .insertInto("mails")
    .values(
      ["queued", "queued", "sent"].map((state) => ({
        workspace_id: workspace.id,
        user_id: workspace.admin.id,
        subject: "s",
        lines: ["l"],
        button_label: "b",
        button_path: "/",
        secret_link: false,
        state,
      })),
    )
    .execute();
  assert.equal(await sample('signalbox_queue_length{queue="mail"}'), before + 2);
});

test("each background job has its age, duration and failures", async () => {
  await t.database.pool.query(
    `insert into background_jobs (name, period, due_at, finished_at, succeeded_at, seconds, failures, last_error) values
      ('retention', '1 day', now(), now(), now() - interval '1 day', 2.5, 3, 'the disk is full'),
      ('old-mails', '1 day', now(), null, null, null, 0, null)`,
  );
  const { text } = await t.http.get("/api/metrics");
  assert.match(text, /^signalbox_job_duration_seconds\{job="retention"\} 2\.5$/m);
  assert.match(text, /^signalbox_job_failures\{job="retention"\} 3$/m);
  assert.match(text, /^signalbox_job_failures\{job="old-mails"\} 0$/m);
  assert.match(text, /^signalbox_job_success_age_seconds\{job="retention"\} 864\d\d/m);
  assert.match(text, /^signalbox_job_run_age_seconds\{job="retention"\} /m);
  assert.doesNotMatch(text, /_seconds\{job="old-mails"\}/);
  await t.db.deleteFrom("background_jobs").execute();
});

test("connections and waiting requests are listed by pool", async () => {
  const held = await t.database.ingest.connect();
  const idle = await sample('signalbox_pool_connections{pool="ingest",state="idle"}');
  const total = await sample('signalbox_pool_connections{pool="ingest",state="total"}');
  held.release();
  assert.equal(total - idle, 1);
  assert.equal(await sample('signalbox_pool_connections{pool="ingest",state="waiting"}'), 0);
});

test("without the database the metrics of the process are still there", async () => {
  const taken = await Promise.all(Array.from({ length: 10 }, () => t.database.pool.connect()));
  const { options } = t.database.pool;
  const { connectionTimeoutMillis } = options;
  options.connectionTimeoutMillis = 100;
  const { status, text } = await t.http.get("/api/metrics");
  options.connectionTimeoutMillis = connectionTimeoutMillis;
  for (const client of taken) client.release();
  assert.equal(status, 200);
  assert.match(text, /^process_cpu_seconds_total /m);
  assert.match(text, /signalbox_pool_connections\{pool="web",state="total"\} 10/);
  assert.doesNotMatch(text, /^signalbox_(queue_length|job_\w+)\{/m);
});

/** The status of a request from another machine. */
async function statusFromElsewhere(headers: Record<string, string> = {}) {
  const answer = await t.app.inject({ url: "/api/metrics", remoteAddress: "203.0.113.9", headers });
  return answer.statusCode;
}

test("a request from another machine needs an administrator's personal token", async () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  assert.equal(await statusFromElsewhere(), 401);
  assert.equal(await statusFromElsewhere(bearer("sbx_pat_nonsense")), 401);
  assert.equal(
    await statusFromElsewhere(bearer(await makePersonalToken(t.db, (await makeUser(t.db)).id))),
    403,
  );
  const project = await openProject(t, workspace);
  const projectToken = await makeProjectToken(t.db, project.id, workspace.admin.id);
  assert.equal(await statusFromElsewhere(bearer(projectToken)), 403);
  assert.equal(await statusFromElsewhere(bearer(await makePersonalToken(t.db, workspace.admin.id))), 200);
});

test("by default, a request from this machine needs a token, too", async () => {
  const closed = await openTestApp({ METRICS_LOOPBACK: "false" });
  const { admin } = await makeWorkspace(closed.db);
  assert.equal((await closed.http.get("/api/metrics")).status, 401);
  const token = await makePersonalToken(closed.db, admin.id);
  assert.equal((await closed.http.as(token).get("/api/metrics")).status, 200);
  await closed.close();
});

for (const [what, headers] of [
  ["passed a proxy", { "x-forwarded-for": "203.0.113.9" }],
  ["addresses it by another name", { host: "signalbox.example.com" }],
  ["has an invalid token", { authorization: "Bearer nonsense" }],
] as const)
  test(`a request from this machine that ${what} is rejected`, async () => {
    const answer = await t.http.send({ method: "GET", url: "/api/metrics", headers });
    assert.equal(answer.status, 401);
  });

test("requests from other machines are rate-limited", async () => {
  const limited = await openTestApp({ LIMIT_API: "2" });
  const statuses = [];
  for (let i = 0; i < 3; i++) {
    const { statusCode } = await limited.app.inject({ url: "/api/metrics", remoteAddress: "203.0.113.9" });
    statuses.push(statusCode);
  }
  assert.deepEqual(statuses, [401, 401, 429]);
  await limited.close();
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { anEvent } from "../support/error-events.ts";
import { listenTo, type EventStream } from "../support/event-stream.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import { makeHome, startServer, type Home, type Server } from "../support/program.ts";
import { openSmtpSink, type SmtpSink } from "../support/smtp-sink.ts";
import { loadAround, type Ledger } from "./load-around.ts";
import { hasPatroni, startPatroni, until } from "./patroni.ts";

const NOT_INSTALLED =
  "NOT TESTED: PostgreSQL cannot fail over (on Debian: apt-get install patroni etcd-server haproxy postgresql)";

if (hasPatroni) void describe("when the primary of PostgreSQL is lost under load", failover);
else void test(NOT_INSTALLED, () => {});

function failover() {
  let patroni: Awaited<ReturnType<typeof startPatroni>>;
  let database: pg.Client;
  let sink: SmtpSink;
  const homes: Home[] = [];
  const servers: Server[] = [];
  let installed: Installed;
  let issue: string;
  let stream: EventStream;
  let ledgers: Record<"event" | "comment" | "report" | "mail", Ledger>;
  let longestGapMs: number;

  const node = (n: number) => (servers[n] as Server).url;

  before(async (context) => {
    patroni = await startPatroni();
    sink = await openSmtpSink();
    const { smtp, from } = sink.settings;
    const settings = {
      SETUP_TOKEN,
      DATABASE_URL: patroni.url,
      SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
      MAIL_FROM: from.address,
    };
    // The first server creates the tables.
    for (const _ of ["first", "second"]) {
      const home = await makeHome();
      homes.push(home);
      servers.push(await startServer(home, settings));
    }
    installed = await install(node(0));
    const { projectId } = installed;
    const created = await installed.post(`${node(0)}/api/projects/${projectId}/issues`, {
      title: "Discussed",
    });
    assert.equal(created.status, 201);
    issue = `/api/projects/${projectId}/issues/${((await created.json()) as { id: number }).id}`;
    stream = await listenTo(node(0), { authorization: `Bearer ${installed.readToken}` });
    const workspaces = (await installed.get(`${node(0)}/api/workspaces`)) as { data: { id: number }[] };
    const workspace = `/api/workspaces/${workspaces.data[0]?.id}`;
    const load = await loadAround(
      servers.map(({ url }) => url),
      {
        event: (base, name) => installed.send(base, anEvent({ exception_class: name.replace(/\d+/, "") })),
        comment: (base, name) => installed.post(`${base}${issue}/comments`, { content: name }),
        report: (base, name) =>
          installed.post(`${base}/api/projects/${projectId}/reports`, { title: name, description: "-" }),
        mail: (base) => installed.post(`${base}${workspace}/mail-test`, {}),
      },
      losePrimary,
    );
    ({ ledgers, longestGapMs } = load);
    context.diagnostic?.(`no request was acknowledged for ${(longestGapMs / 1_000).toFixed(1)} s`);
    database = new pg.Client(patroni.url);
    await database.connect();
  });
  after(async () => {
    stream?.close();
    await database?.end();
    for (const home of homes) await home.remove();
    await sink?.close();
    await patroni?.close();
  });

  /** Kills the primary just when the mail server accepts an email, which cannot be recorded then. */
  async function losePrimary() {
    const kill = await patroni.findPrimary();
    await new Promise<void>((resolve) => {
      sink.answer = () => {
        kill();
        sink.answer = () => undefined;
        resolve();
        return undefined;
      };
    });
  }

  test("requests are acknowledged again within 30 seconds", () => {
    assert.ok(longestGapMs > 0 && longestGapMs < 30_000, `${longestGapMs} ms`);
  });

  test("nothing acknowledged is lost, and nothing is stored twice", async () => {
    for (const [kind, query] of [
      ["comment", "select content as name from comments"],
      ["report", "select title as name from reports"],
    ] as const) {
      const { acknowledged, unanswered } = ledgers[kind];
      const { rows } = await database.query<{ name: string }>(query);
      const stored = rows.map(({ name }) => name);
      assert.deepEqual(new Set(stored).size, stored.length, "each is stored once");
      assert.deepEqual(
        acknowledged.filter((name) => !stored.includes(name)),
        [],
      );
      const sent = new Set([...acknowledged, ...unanswered]);
      assert.deepEqual(
        stored.filter((name) => !sent.has(name)),
        [],
      );
    }
    const { rows } = await database.query<{ count: number }>(
      "select sum(occurrence_count)::int as count from error_groups",
    );
    const [{ count }] = rows as [{ count: number }];
    const { acknowledged, unanswered } = ledgers.event;
    assert.ok(
      count >= acknowledged.length && count <= acknowledged.length + unanswered.length,
      `${acknowledged.length} acknowledged, ${unanswered.length} unanswered, ${count} counted`,
    );
  });

  test("every email is sent, and none twice", async () => {
    const queued = "select from mails where state = 'queued'";
    await until(async () => (await database.query(queued)).rowCount === 0);
    const { rows } = await database.query<{ message_id: string }>("select message_id from mails");
    const sent = sink.mails.map(({ messageId }) => messageId?.slice(1).replace(/@.*/, ""));
    assert.deepEqual(sent.sort(), rows.map(({ message_id }) => message_id).sort());
    assert.ok(rows.length >= ledgers.mail.acknowledged.length);
  });

  test("nobody is signed out, and live updates come back by themselves", async () => {
    const seen = stream.events.length;
    const answer = await installed.post(`${node(1)}${issue}/comments`, { content: "After the failover" });
    assert.equal(answer.status, 201);
    const { id } = (await answer.json()) as { id: number };
    await until(() =>
      stream.events.slice(seen).some(({ data }) => data.kind === "comment" && data.id === id),
    );
  });
}

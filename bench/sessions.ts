import { randomUUID } from "node:crypto";
import { makeEvents } from "./events.ts";
import { makeTargets, report, requestsFor, SECONDS } from "./ingest.ts";
import { load, prepareBytes, quantile, type LoadResult, type Prepared } from "./load.ts";
import { setUp, startServer } from "./server.ts";

const EVENTS = { connections: 30, perSecond: 200 };
const ENVELOPES = { connections: 20, perSecond: 500 };
const SESSIONS_PER_ENVELOPE = 10;
const USERS = 20_000;
const ROUNDS = 3;

/**
 * The p99 of events alone, while envelopes arrive whose items are skipped, and while the same envelopes contain 5,000 sessions a second, in
 * turns. What a session costs is the difference between the last two.
 */
export async function benchSessions() {
  console.log(`\nSessions: ${EVENTS.perSecond} events of 3 KB and 5,000 sessions a second`);
  const server = await startServer();
  try {
    const owner = await setUp(server.port);
    const targets = await makeTargets(owner);
    const projectId = targets[0]?.projectId ?? 0;
    const keys = (await owner.get(`/api/projects/${projectId}/ingest-keys`)) as { data: { key: string }[] };
    const url = `/api/${projectId}/envelope/?sentry_version=7&sentry_key=${keys.data[0]?.key}`;
    const events = requestsFor(makeEvents(1_000, 200, 3_000), targets);
    const run = async (envelopes: Prepared[]) => {
      const before = await server.usage();
      const send = (requests: Prepared[], options: typeof EVENTS, expectedStatus: number) =>
        load({
          ...options,
          port: server.port,
          seconds: SECONDS,
          expectedStatus,
          next: (n) => requests[n % requests.length] as Prepared,
        });
      const [result, others] = await Promise.all([
        send(events, EVENTS, 202),
        envelopes.length > 0 ? send(envelopes, ENVELOPES, 200) : undefined,
      ]);
      const after = await server.usage();
      return {
        result,
        sessions: (others?.ok ?? 0) * SESSIONS_PER_ENVELOPE,
        cpu: {
          server: after.server.cpu - before.server.cpu,
          postgres: after.postgres.cpu - before.postgres.cpu,
        },
      };
    };
    const envelopesOf = (type: string) =>
      Array.from({ length: SECONDS * ENVELOPES.perSecond }, () => prepareBytes(url, envelopeOf(type)));
    await run(envelopesOf("session"));
    const phases = { alone: [], skipped: [], counted: [] } as Record<
      string,
      Awaited<ReturnType<typeof run>>[]
    >;
    for (let round = 0; round < ROUNDS; round++) {
      phases["alone"]?.push(await run([]));
      phases["skipped"]?.push(await run(envelopesOf("span")));
      phases["counted"]?.push(await run(envelopesOf("session")));
    }
    const p99: Record<string, number> = {};
    for (const [name, runs] of Object.entries(phases)) {
      const all = together(runs.map(({ result }) => result));
      report(`events, sessions ${name}`, all);
      p99[name] = quantile(all.latencies, 0.99);
    }
    const ratio = ((p99["counted"] ?? 0) / (p99["alone"] ?? 1)).toFixed(2);
    console.log(`  p99 with sessions: ${ratio} times that of events alone`);
    for (const part of ["server", "postgres"] as const) {
      const sum = (name: string) => (phases[name] ?? []).reduce((total, { cpu }) => total + cpu[part], 0);
      const sessions = (phases["counted"] ?? []).reduce((total, each) => total + each.sessions, 0);
      const micros = (seconds: number) => ((seconds / sessions) * 1e6).toFixed(1);
      console.log(
        `  CPU time of a session, ${part}: ${micros(sum("counted") - sum("skipped"))} µs, with its part of the request ${micros(sum("counted") - sum("alone"))}`,
      );
    }
  } finally {
    await server.stop();
  }
}

/** New sessions; one in a hundred has crashed. */
function envelopeOf(type: string): Buffer {
  const items = Array.from({ length: SESSIONS_PER_ENVELOPE }, () => {
    const now = new Date().toISOString();
    const session = {
      sid: randomUUID().replaceAll("-", ""),
      init: true,
      started: now,
      timestamp: now,
      status: Math.random() < 0.01 ? "crashed" : "ok",
      errors: 0,
      did: `user-${Math.floor(Math.random() * USERS)}`,
      attrs: {
        release: "shop@1.4.2",
        environment: "production",
        user_agent: "Mozilla/5.0 (X11; Linux x86_64)",
      },
    };
    return `{"type":"${type}"}\n${JSON.stringify(session)}\n`;
  });
  return Buffer.from(`{"sent_at":"${new Date().toISOString()}"}\n${items.join("")}`);
}

function together(results: LoadResult[]): Pick<LoadResult, "ok" | "seconds" | "latencies"> {
  return {
    ok: results.reduce((sum, { ok }) => sum + ok, 0),
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    latencies: Float64Array.from(results.flatMap(({ latencies }) => [...latencies])).sort(),
  };
}

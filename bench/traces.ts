import { makeEvents, makeNewGroups, type BenchEvent } from "./events.ts";
import { makeTargets, report, requestsFor, SECONDS, watchUsage } from "./ingest.ts";
import { load, prepareBytes, type Prepared } from "./load.ts";
import { setUp, startServer } from "./server.ts";

const CONNECTIONS = 128;
const GROUPS = 200;
const TRACES = 5_000;
const BYTES = 3_000;

/**
 * What an event costs whose trace was not seen lately: events of 3 KB, and Sentry envelopes with the same frames, with 200 traces
 * that were all seen lately, with 5,000 traces in turn that belong to the same 200 groups, and with 5,000 groups in turn.
 */
export async function benchTraces() {
  console.log(`\nTraces: events of 3 KB, ${CONNECTIONS} connections`);
  const knownEvents = makeEvents(TRACES, GROUPS, BYTES);
  const groups = makeNewGroups(TRACES, BYTES);
  const traces = groups.map(({ body, group }) => ({ group, body: inGroup(body, group % GROUPS) }));
  const server = await startServer();
  try {
    const owner = await setUp(server.port);
    const targets = await makeTargets(owner);
    const projectId = targets[0]?.projectId ?? 0;
    const keys = (await owner.get(`/api/projects/${projectId}/ingest-keys`)) as { data: { key: string }[] };
    const url = `/api/${projectId}/envelope/?sentry_version=7&sentry_key=${keys.data[0]?.key}`;
    const envelopes = (events: BenchEvent[]) => events.map(({ body }) => prepareBytes(url, envelopeOf(body)));
    const measure = async (name: string, requests: Prepared[], expectedStatus: number) => {
      let sentCount = 0;
      const next = () => requests[sentCount++ % requests.length] as Prepared;
      const run = (seconds: number) =>
        load({ port: server.port, connections: CONNECTIONS, seconds, expectedStatus, next });
      for (let warmedUp = 0; warmedUp < TRACES; warmedUp = sentCount) await run(1);
      const watch = await watchUsage(server);
      const result = await run(SECONDS);
      const { cpu } = await watch.stop();
      const each = (seconds: number) => (seconds / result.ok) * 1e6;
      report(name, result);
      console.log(
        `    CPU time for each: server ${each(cpu.server).toFixed(0)} µs, PostgreSQL ${each(cpu.postgres).toFixed(0)} µs`,
      );
      if (result.other.size > 0) console.log("    other statuses:", result.other);
      return each(cpu.server);
    };
    for (const [kind, toRequests, status] of [
      ["native", (events: BenchEvent[]) => requestsFor(events, targets), 202],
      ["Sentry", envelopes, 200],
    ] as const) {
      const base = await measure(`${kind}: known traces`, toRequests(knownEvents), status);
      const others = [
        await measure(`${kind}: 5,000 traces`, toRequests(traces), status),
        await measure(`${kind}: 5,000 groups`, toRequests(groups), status),
      ];
      const ratios = others.map((each) => (each / base).toFixed(2));
      console.log(`  ${kind}, CPU time of the server for new traces to known ones: ${ratios.join(" and ")}`);
    }
  } finally {
    await server.stop();
  }
}

/** With a fingerprint of its own, so that other traces belong to the group as well. */
const inGroup = (body: string, group: number): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), fingerprint: [`group ${group}`] });

type Native = {
  environment: string;
  exception_class: string;
  message: string;
  stack_trace: string;
  release: string;
  host: string;
  user_hash: string;
  fingerprint?: string[];
};

const FRAME = /^#\d+ (.+)\((\d+)\): (.+)$/;

/** The same event as Sentry's SDK for PHP would send it. */
function envelopeOf(body: string): Buffer {
  const event = JSON.parse(body) as Native;
  const frames = event.stack_trace.split("\n").map((line) => {
    const [, filename = "", lineno = "", name = ""] = FRAME.exec(line) ?? [];
    return { filename, lineno: Number(lineno), function: name, in_app: !filename.includes("/vendor/") };
  });
  const sentryEvent = JSON.stringify({
    platform: "php",
    environment: event.environment,
    release: event.release,
    server_name: event.host,
    exception: {
      values: [
        { type: event.exception_class, value: event.message, stacktrace: { frames: frames.toReversed() } },
      ],
    },
    user: { id: `user-${event.user_hash.slice(-6)}` },
    tags: { area: "checkout" },
    contexts: { runtime: { name: "php", version: "8.4.1" } },
    sdk: { name: "sentry.php", version: "4.18.0" },
    ...(event.fingerprint && { fingerprint: event.fingerprint }),
  });
  const item = JSON.stringify({ type: "event", length: Buffer.byteLength(sentryEvent) });
  return Buffer.from(`{}\n${item}\n${sentryEvent}\n`);
}

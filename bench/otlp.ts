import { makeEvents } from "./events.ts";
import { makeTargets, report, requestsFor, SECONDS, watchUsage } from "./ingest.ts";
import { load, prepareBytes, type LoadResult, type Prepared } from "./load.ts";
import { setUp, startServer } from "./server.ts";
import { anException, attributesOf, encodeLogs, logsRequest } from "../test/support/otlp.ts";

const CONNECTIONS = 128;

/** Log records in a request, one of which has an exception. */
const RECORDS = 20;

/** Exceptions of OpenTelemetry in JSON and Protobuf, beside native events with the same traces in the same run. */
export async function benchOtlp() {
  console.log(`\nExceptions from OpenTelemetry: ${CONNECTIONS} connections`);
  const server = await startServer();
  try {
    const targets = await makeTargets(await setUp(server.port));
    const [target] = targets;
    const url = `/api/projects/${target?.projectId}/otlp/v1/logs`;
    const measure = async (name: string, requests: Prepared[], expectedStatus = 200) => {
      const next = (n: number) => requests[n % requests.length] as Prepared;
      const run = (seconds: number) =>
        load({ port: server.port, connections: CONNECTIONS, seconds, expectedStatus, next });
      await run(2);
      const watch = await watchUsage(server);
      const result = await run(SECONDS);
      const { cpu } = await watch.stop();
      report(name, result);
      const each = (seconds: number) => `${((seconds / result.ok) * 1e6).toFixed(0)} µs`;
      console.log(`    CPU time for each: server ${each(cpu.server)}, PostgreSQL ${each(cpu.postgres)}`);
      return result;
    };
    const events = makeEvents(1_000, 200, 3_000);
    const native = await measure("native events of 3 KB", requestsFor(events, targets), 202);
    const records = events.map(({ body }) => {
      const { exception_class, message, stack_trace } = JSON.parse(body) as Record<string, string>;
      return attributesOf(
        anException({
          "exception.type": exception_class,
          "exception.message": message,
          "exception.stacktrace": stack_trace,
        }),
      );
    });
    // Without a time and a trace, so that each counts: known ids are not counted again.
    const alone = records.map((attributes) => logsRequest([{ attributes }]));
    const among = records.map((attributes) => {
      const others = Array.from({ length: RECORDS - 1 }, (_, n) => ({
        attributes: attributesOf({ order: n }),
      }));
      return logsRequest([...others, { attributes }]);
    });
    const header = (type: string) => `Authorization: Bearer ${target?.token}\r\nContent-Type: ${type}\r\n`;
    const json = (request: object) =>
      prepareBytes(url, Buffer.from(JSON.stringify(request)), header("application/json"));
    const protobuf = (request: ReturnType<typeof logsRequest>) =>
      prepareBytes(url, encodeLogs(request), header("application/x-protobuf"));
    const results = [
      await measure("JSON, one exception", alone.map(json)),
      await measure("Protobuf, one exception", alone.map(protobuf)),
      await measure(`Protobuf, one exception among ${RECORDS} records`, among.map(protobuf)),
    ];
    console.log(`  ratios to native: ${results.map((result) => ratio(result, native)).join(", ")}`);
  } finally {
    await server.stop();
  }
}

const rate = ({ ok, seconds }: LoadResult) => ok / seconds;
const ratio = (one: LoadResult, other: LoadResult) => (rate(one) / rate(other)).toFixed(2);

/**
 * Measures the cost of the reporter: each program runs with and without it, alternately. Prints a table. The exit code
 * is 1 if a figure exceeds its budget.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

const rounds = 9;
const root = join(import.meta.dirname, "..");

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(202).end());
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const load = 'import { init, captureError, flush } from "@signalbox/reporter";';
const options = `{ url: "${url}", project: 1, token: "t", maxPerMinute: 1e9, log: false }`;
const fails =
  "function fail(n) { if (n > 0) return fail(n - 1); return new Error('measured ' + Math.random()); }";
const resident =
  "for (let i = 0; i < 4; i++) { gc(); await new Promise(setImmediate); } console.log(process.memoryUsage.rss() / 1e6);";
/** A typical service: it has already made `count` HTTP requests and created `count` errors of its own. */
const service = (count: number) => `import http from "node:http"; ${fails}
  for (let i = 0; i < ${count}; i++) {
    fail(10).stack;
    await new Promise((done) => http.request("${url}", { method: "POST" }, (r) => r.resume().on("end", done)).end("{}"));
  }`;
const reporting = (count: number) => `${load} init(${options});
  for (let i = 0; i < ${count}; i++) { captureError(fail(10)); if (i % 50 === 0) await flush(); } await flush();`;

const importing = `const began = performance.now(); await import("@signalbox/reporter"); console.log(performance.now() - began);`;
const importingNothing = `const began = performance.now(); await import("data:text/javascript,export default 1"); console.log(performance.now() - began);`;

/** Durations of captureError calls in µs: the first call, the median and the 99th percentile. */
const calls = (cause: string, details: string) => `${load} ${fails}
  init(${options.replace("}", ", userHashSecret: 's', transport: async () => ({ status: 202 }) }")});
  const durations = [];
  for (let i = 0; i < 5000; i++) {
    const error = fail(10);
    error.cause = ${cause};
    const details = ${details};
    const began = performance.now(); captureError(error, details); durations.push(performance.now() - began);
    if (i % 20 === 19) await new Promise(setImmediate);
  }
  const first = durations[0]; durations.sort((a, b) => a - b);
  console.log(JSON.stringify([first, durations[2500], durations[4950]].map((ms) => ms * 1000)));`;

const route = 'context: { kind: "route", method: "GET", pattern: "/users/:id" }';
const [first, plain, plain99] = await fastestRun(calls("undefined", `{ ${route} }`));
const [, rich, rich99] = await fastestRun(calls("fail(10)", `{ userId: i, ${route} }`));
const rows: [name: string, value: number, unit: string, budget?: number][] = [
  ["import, beyond importing an empty module", await difference(importing, importingNothing), "ms", 10],
  [
    "resident memory after import and init",
    await difference(`${load} init(${options}); ${resident}`, resident),
    "MB",
    2,
  ],
  [
    "resident memory of a service, one error",
    await difference(`${service(1)} ${reporting(1)} ${resident}`, `${service(1)} ${resident}`),
    "MB",
    2,
  ],
  [
    "resident memory of a busy service, 200 errors",
    await difference(`${service(3000)} ${reporting(200)} ${resident}`, `${service(3000)} ${resident}`),
    "MB",
  ],
  ["captureError, median", plain, "µs", 50],
  ["captureError, 99th percentile", plain99, "µs"],
  ["captureError with a cause and a user, median", rich, "µs", 50],
  ["captureError with a cause and a user, 99th percentile", rich99, "µs"],
  ["captureError, first call", first, "µs"],
];
server.close();
server.closeAllConnections();

for (const [name, value, unit, budget] of rows) {
  const verdict = budget === undefined ? "" : value <= budget ? ` (at most ${budget})` : ` OVER ${budget}`;
  process.stdout.write(`${name.padEnd(60)} ${value.toFixed(2).padStart(8)} ${unit}${verdict}\n`);
}
process.exitCode = rows.some(([, value, , budget]) => budget !== undefined && value > budget) ? 1 : 0;

/** The median of the first program's figure minus that of the second; the programs run alternately. */
async function difference(first: string, second: string): Promise<number> {
  const figures: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    figures[0].push(Number(await run(first)));
    figures[1].push(Number(await run(second)));
  }
  return median(figures[0]) - median(figures[1]);
}

/** The figures of the run with the lowest median: other load on the machine can only increase a figure. */
async function fastestRun(source: string): Promise<[number, number, number]> {
  const runs: [number, number, number][] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(JSON.parse(await run(source)));
  return runs.sort((a, b) => a[1] - b[1])[0] ?? [Number.NaN, Number.NaN, Number.NaN];
}

function median(figures: number[]): number {
  return figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

async function run(source: string): Promise<string> {
  const args = ["--expose-gc", "--input-type=module", "--eval", source];
  return (await promisify(execFile)(process.execPath, args, { cwd: root })).stdout.trim();
}

import { setTimeout as pause } from "node:timers/promises";
import { SECONDS, watchUsage } from "./ingest.ts";
import { load, prepare, type Prepared } from "./load.ts";
import { setUp, startServer, type BenchServer, type Owner } from "./server.ts";

const ROUNDS = 5;
const READS = 100;
const PARSED = 6;
const CONNECTIONS = 128;
const TURNS = 7;

/**
 * What source maps cost: an event with ten frames with and without them, with a map of 10 MB that was not read before, the list of errors
 * while maps of 30 MB are read, and events of a project that groups by mapped frames.
 */
export async function benchSourceMaps() {
  console.log("\nSource maps");
  const server = await startServer();
  try {
    const owner = await setUp(server.port);
    await benchReading(server, owner);
    await benchGrouping(server, owner);
  } finally {
    await server.stop();
  }
}

type Project = { id: number; token: string };

async function makeProject(owner: Owner, key: string, more: object = {}): Promise<Project> {
  const { id } = (await owner.post("/api/projects", { key, name: key, ...more })) as { id: number };
  const body = { name: "bench", access: "read_write" };
  const { token } = (await owner.post(`/api/projects/${id}/tokens`, body)) as { token: string };
  return { id, token };
}

async function benchReading(server: BenchServer, owner: Owner) {
  const web = await makeProject(owner, "WEB");
  const plain = await sendEvent(server, web, "plain");
  const mapped = await sendEvent(server, web, "mapped");
  const other = await sendEvent(server, web, "other");
  await upload(server, web, "mapped", mapOf(10));
  await owner.get(mapped);
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < READS; n++) {
    times[0].push(await timeOf(() => owner.get(plain)));
    times[1].push(await timeOf(() => owner.get(mapped)));
  }
  print("an event with ten frames that have no map", times[0]);
  print("the same with maps that were read before", times[1]);
  const first: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    await upload(server, web, "other", mapOf(10));
    first.push(await timeOf(() => owner.get(other)));
  }
  print("the same with a map of 10 MB for the first time", first);

  const list = `/api/projects/${web.id}/error-groups`;
  const alone: number[] = [];
  const beside: number[] = [];
  for (let n = 0; n < PARSED; n++) {
    // The garbage of the upload is collected before the map is read.
    await upload(server, web, "other", mapOf(30));
    for (const end = performance.now() + 1_000; performance.now() < end; await pause(5))
      alone.push(await timeOf(() => owner.get(list)));
    const state = { isReading: true };
    const reading = owner.get(other).finally(() => (state.isReading = false));
    for (; state.isReading; await pause(5)) beside.push(await timeOf(() => owner.get(list)));
    await reading;
  }
  print("the list of errors", alone);
  print("the list of errors while a map of 30 MB is read", beside);
}

/** The events have 200 groups, by their classes. After the first round, no fingerprint is new. */
async function benchGrouping(server: BenchServer, owner: Owner) {
  const projects = [
    await makeProject(owner, "OFF"),
    await makeProject(owner, "ON", { group_by_mapped_frames: true }),
  ];
  const requests: Prepared[][] = [];
  for (const project of projects) {
    await upload(server, project, "mapped", mapOf(1));
    const url = `/api/projects/${project.id}/error-events`;
    requests.push(
      Array.from({ length: 200 }, (_, n) =>
        prepare(url, project.token, JSON.stringify(eventOf("mapped", n)), 0),
      ),
    );
  }
  const cpu: number[][] = [[], []];
  for (let turn = 0; turn < TURNS * 2; turn++) {
    // Off, on, on, off.
    const which = turn % 4 === 1 || turn % 4 === 2 ? 1 : 0;
    let sent = 0;
    const next = () => requests[which]?.[sent++ % 200] as Prepared;
    const seconds = SECONDS / 4;
    const watch = await watchUsage(server);
    const { ok } = await load({
      port: server.port,
      connections: CONNECTIONS,
      seconds,
      expectedStatus: 202,
      next,
    });
    const used = (await watch.stop()).cpu;
    cpu[which]?.push(((used.server + used.postgres) / ok) * 1e6);
  }
  const [off = 0, on = 0] = cpu.map((times) => median(times));
  console.log(
    `  events grouped as sent ${off.toFixed(1)} µs, by mapped frames ${on.toFixed(1)} µs of CPU: ${(on / off).toFixed(3)}`,
  );
}

const FRAMES = 10;

function eventOf(release: string, n: number) {
  const lines = Array.from({ length: FRAMES }, (_, frame) => {
    const name = `${String.fromCharCode(97 + frame)}${n.toString(36)}`;
    return `    at ${name} (https://shop.example/app.js:${1 + frame * 50}:${21 + frame * 100})`;
  });
  return {
    environment: "production",
    exception_class: `TypeError${n}`,
    message: "no",
    stack_trace: ["TypeError: no", ...lines].join("\n"),
    release,
  };
}

let events = 0;

/** Sends an event and returns the address of it. */
async function sendEvent(server: BenchServer, { id, token }: Project, release: string): Promise<string> {
  const project = `http://localhost:${server.port}/api/projects/${id}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify(eventOf(release, events++));
  await accepted(fetch(`${project}/error-events`, { method: "POST", headers, body }));
  const list = await accepted(fetch(`${project}/error-groups?limit=1`, { headers }));
  const { data } = (await list.json()) as { data: { id: number }[] };
  return `/api/projects/${id}/error-groups/${data[0]?.id}/events/latest`;
}

async function upload(server: BenchServer, { id, token }: Project, release: string, map: string) {
  const url = `http://localhost:${server.port}/api/projects/${id}/releases/${release}/artifacts`;
  const form = new FormData();
  form.append("files[0]", new Blob([map]), "~/app.js.map");
  await accepted(fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: form }));
}

async function accepted(sending: Promise<Response>): Promise<Response> {
  const response = await sending;
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response;
}

let maps = 0;

/** A map of about this many MB, two thirds of which are the text of its sources. No two are equal. */
function mapOf(megabytes: number): string {
  const lines = 1_000;
  const segments = Math.floor((megabytes * 1_000_000) / 3 / lines / 6);
  const source = `export const total = (cart) => cart.sum; // ${maps++}\n`.repeat(megabytes * 260);
  return JSON.stringify({
    version: 3,
    sources: Array.from({ length: 50 }, (_, n) => `../src/file-${n}.ts`),
    sourcesContent: Array.from({ length: 50 }, () => source),
    names: ["total"],
    // Each line of the minified file has segments of ten columns, which go through the lines of the first source.
    mappings: Array.from({ length: lines }, () => `AACA${",UAAA".repeat(segments)}`).join(";"),
  });
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

const sorted = (times: number[]) => times.toSorted((a, b) => a - b);
const at = (times: number[], share: number) => sorted(times)[Math.floor((times.length - 1) * share)] ?? 0;
const median = (times: number[]) => at(times, 0.5);

function print(name: string, times: number[]) {
  console.log(
    `  ${name}: median ${median(times).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms (${times.length})`,
  );
}

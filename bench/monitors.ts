import { setTimeout as pause } from "node:timers/promises";
import { SECONDS } from "./ingest.ts";
import { load, prepareBytes, type Prepared } from "./load.ts";
import { cpuOf, type Owner, setUp, startServer } from "./server.ts";

const PROJECTS = 20;
const MONITORS_PER_PROJECT = 500;
const REST_MS = 60_000;
const CHECK_INS = { connections: 200, perSecond: 1_000 };

/** What 10,000 monitors cost while nothing happens, and what a check-in costs at 1,000 a second. */
export async function benchMonitors() {
  const count = PROJECTS * MONITORS_PER_PROJECT;
  console.log(`\nMonitors: ${count.toLocaleString("en")}, each with a check-in a day`);
  const server = await startServer();
  try {
    const owner = await setUp(server.port);
    await pause(10_000);
    const without = await cpuOf(server, () => pause(REST_MS));
    const pings = await makeMonitors(owner);
    const next = (n: number) => pings[n % pings.length] as Prepared;
    // The first check-in of each is when its schedule begins.
    await load({
      ...CHECK_INS,
      port: server.port,
      seconds: count / CHECK_INS.perSecond,
      expectedStatus: 200,
      next,
    });
    await pause(10_000);
    const resting = await cpuOf(server, () => pause(REST_MS));
    const percent = (cpu: number) => ((cpu / (REST_MS / 1_000)) * 100).toFixed(2);
    console.log(
      `  at rest: ${percent(resting.server + resting.postgres)} % of a core, without monitors ${percent(without.server + without.postgres)} %`,
    );
    let ok = 0;
    const cpu = await cpuOf(server, async () => {
      const result = await load({
        ...CHECK_INS,
        port: server.port,
        seconds: SECONDS,
        expectedStatus: 200,
        next,
      });
      ok = result.ok;
    });
    const micros = (seconds: number) => ((seconds / ok) * 1e6).toFixed(0);
    console.log(
      `  ${ok} check-ins at ${CHECK_INS.perSecond} a second: server ${micros(cpu.server)} µs each, PostgreSQL ${micros(cpu.postgres)} µs`,
    );
  } finally {
    await server.stop();
  }
}

/** Creates the monitors and returns their pings. */
async function makeMonitors(owner: Owner): Promise<Prepared[]> {
  const pings: Prepared[] = [];
  for (let p = 0; p < PROJECTS; p++) {
    const project = (await owner.post("/api/projects", { key: `MON${p}`, name: `Monitors ${p}` })) as {
      id: number;
    };
    const path = `/api/projects/${project.id}/monitors`;
    for (let n = 0; n < MONITORS_PER_PROJECT; n++) {
      const monitor = (await owner.post(path, {
        slug: `job-${n}`,
        name: `Job ${n}`,
        schedule: { type: "interval", value: 1, unit: "day" },
      })) as { ping_url: string };
      pings.push(prepareBytes(new URL(monitor.ping_url).pathname, Buffer.alloc(0)));
    }
  }
  return pings;
}

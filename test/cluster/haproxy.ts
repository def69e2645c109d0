import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "../../src/server/postgres/address.ts";
import { waitLong } from "./load.ts";

const CONFIG = path.join(import.meta.dirname, "../../deploy/haproxy.cfg");

export const hasHaproxy = spawnSync("haproxy", ["-v"]).status === 0;

export type Haproxy = {
  url: string;
  /** Waits until HAProxy sends requests to as many servers. */
  waitForServers(count: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts HAProxy with the configuration in deploy/, in front of servers on these ports. */
export async function startHaproxy(ports: number[]): Promise<Haproxy> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-haproxy-"));
  const file = path.join(folder, "haproxy.cfg");
  const socket = path.join(folder, "socket");
  const port = await freePort();
  const servers = ports.map((each, n) => `  server server${n + 1} 127.0.0.1:${each}`).join("\n");
  const config = (await readFile(CONFIG, "utf8"))
    .replace("bind :3000", `bind 127.0.0.1:${port}`)
    .replace("global\n", `global\n  stats socket ${socket}\n`)
    .replace(/ {2}server-template .*/, servers)
    .replace(/resolvers docker\n {2}parse-resolv-conf\n/, "");
  await writeFile(file, config);
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const waitForServers = (count: number) =>
    waitLong(async () => {
      if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${output}`);
      return (await readyServers(socket)) === count;
    }, `HAProxy does not see ${count} servers that are ready`);
  return {
    url: `http://localhost:${port}`,
    waitForServers,
    close: async () => {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A line of the statistics starts with backend and server; the 18th column is the state. */
async function readyServers(socket: string): Promise<number> {
  const asking = connect(socket);
  asking.end("show stat\n");
  const answer = await text(asking).catch(() => "");
  return answer
    .split("\n")
    .map((line) => line.split(","))
    .filter(
      ([backend, server, ...rest]) => backend === "servers" && server !== "BACKEND" && rest[15] === "UP",
    ).length;
}

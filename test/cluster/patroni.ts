import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { freePort } from "../../src/server/postgres/address.ts";
import { accountFor } from "../../src/server/postgres/unprivileged-account.ts";
import { poll } from "../support/program.ts";
import { killTree, Processes } from "./processes.ts";

const PASSWORD = "a-password";

/** A start or a failover takes up to half a minute, on a busy machine longer, and the lease of an email three minutes. After
 * this time something hangs. */
const HANGS_MS = 300_000;

const VERSIONS = "/usr/lib/postgresql";
const version = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort().at(-1) : undefined;

export const hasPatroni =
  version !== undefined &&
  ["patroni", "etcd", "haproxy"].every((command) => spawnSync("which", [command]).status === 0);

type Member = { name: string; home: string; port: number; api: number; pid: number };

/**
 * Starts a PostgreSQL that fails over: two members of Patroni, where the standby confirms every commit, with etcd, and
 * HAProxy in front, which leads to the primary.
 */
export async function startPatroni() {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-patroni-"));
  await chmod(folder, 0o755);
  const processes = new Processes(folder);
  const members: Member[] = [];
  const close = async () => {
    for (const member of members) killMember(member);
    await processes.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const etcd = await startEtcd(folder, processes);
    const account = await accountFor(folder);
    for (const name of ["first", "second"]) {
      const home = path.join(folder, name);
      await mkdir(home);
      if (account) await chown(home, account.uid, account.gid);
      const [port, api] = [await freePort(), await freePort()];
      const file = path.join(folder, `${name}.json`);
      await writeFile(file, JSON.stringify(settingsOf({ name, home, port, api, etcd })));
      const { pid = 0 } = processes.start("patroni", [file], account);
      const member = { name, home, port, api, pid };
      members.push(member);
      // The first member initializes the cluster, and the second copies it.
      await until(() => isHealthy(member, members.length === 1 ? "primary" : "sync"));
    }
    const port = await startProxy(folder, members, processes);
    const url = (name: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${name}`;
    await until(() => createDatabase(url("postgres")));
    return {
      url: url("signalbox"),
      /** Returns what ends the primary and its Patroni as a loss of power would. */
      findPrimary: async () => {
        for (const member of members) if (await isHealthy(member, "primary")) return () => killMember(member);
        throw new Error("there is no primary");
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startEtcd(folder: string, processes: Processes): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()];
  const [clients, peers] = [client, peer].map((port) => `http://127.0.0.1:${port}`) as [string, string];
  processes.start("etcd", [
    "--name=etcd",
    `--data-dir=${path.join(folder, "etcd")}`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=etcd=${peers}`,
  ]);
  await until(() => answers(`${clients}/health`));
  return `127.0.0.1:${client}`;
}

function settingsOf({ name, home, port, api, etcd }: Omit<Member, "pid"> & { etcd: string }) {
  return {
    scope: "signalbox",
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { host: etcd },
    bootstrap: {
      dcs: {
        // The shortest times that Patroni accepts.
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        // A commit is acknowledged when the standby has it, too.
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, shared_buffers: "32MB" } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }],
      pg_hba: ["host replication replicator 127.0.0.1/32 md5", "host all all 127.0.0.1/32 md5"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      bin_dir: path.join(VERSIONS, version ?? "", "bin"),
      data_dir: path.join(home, "data"),
      pgpass: path.join(home, "pgpass"),
      parameters: { unix_socket_directories: home },
      authentication: {
        superuser: { username: "postgres", password: PASSWORD },
        replication: { username: "replicator", password: PASSWORD },
        rewind: { username: "rewinder", password: PASSWORD },
      },
    },
  };
}

async function startProxy(folder: string, members: Member[], processes: Processes): Promise<number> {
  const port = await freePort();
  const file = path.join(folder, "haproxy.cfg");
  const servers = members.map(
    ({ name, port: to, api }) => `  server ${name} 127.0.0.1:${to} check port ${api}`,
  );
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`,
  );
  processes.start("haproxy", ["-db", "-f", file]);
  return port;
}

/** PostgreSQL is not a child of Patroni. */
function killMember({ pid, home }: Member) {
  killTree(pid);
  const file = path.join(home, "data", "postmaster.pid");
  if (existsSync(file)) killTree(Number(readFileSync(file, "utf8").split("\n", 1)[0]));
}

const isHealthy = ({ api }: Member, role: "primary" | "sync") => answers(`http://127.0.0.1:${api}/${role}`);

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function createDatabase(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("create database signalbox");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Fails if the condition does not become true for so long that something must hang. */
export async function until(condition: () => Promise<boolean> | boolean) {
  const deadline = performance.now() + HANGS_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it did not happen: ${condition}`);
    await poll();
  }
}

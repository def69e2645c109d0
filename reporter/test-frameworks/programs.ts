import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export interface Place {
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Waits until all expected events and those with these messages have arrived. Rejects if one is missing for too long. */
  received: (...messages: string[]) => Promise<void>;
}

type Program = Pick<Place, "folder" | "env">;

/** Runs a command in the application's folder. Rejects with its output if it fails. */
export async function run({ folder, env }: Program, command: string, ...args: string[]): Promise<void> {
  const { child, output } = start({ folder, env }, command, args);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0)
    throw new Error(`${command} ${args.join(" ")}: exit code ${code}\n${output().slice(-3000)}`);
}

/** Runs a server on a free port while `use` runs. */
export async function serve(
  { folder, env }: Program,
  [command, ...args]: [string, ...string[]],
  use: (url: string) => Promise<void>,
): Promise<void> {
  const port = String(await freePort());
  const place = {
    folder,
    env: { ...env, PORT: port, NITRO_PORT: port, HOST: "127.0.0.1", ORIGIN: `http://127.0.0.1:${port}` },
  };
  const { child, output } = start(place, command, args);
  try {
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await fetch(`${url}/ready`).catch(() => undefined)) !== undefined;
    for (let tries = 0; !(await ready()); tries += 1) {
      if (tries > 300 || child.exitCode !== null) throw new Error(`${command} does not start\n${output()}`);
      await wait(200);
    }
    await use(url);
    // A signal would end the program before it has sent what it captured.
    await wait(1000);
  } catch (error) {
    throw new Error(`${String(error)}\n${output().slice(-3000)}`, { cause: error });
  } finally {
    if (child.exitCode === null) {
      // Commands such as `next` start further processes.
      process.kill(-child.pid!, "SIGTERM");
      await once(child, "exit");
    }
  }
}

function start({ folder, env }: Program, command: string, args: string[]) {
  const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += String(part)));
  return { child, output: () => text };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../../src/server/postgres/address.ts";
import { startFakeS3 } from "../support/fake-s3.ts";
import { waitLong } from "./load.ts";

const BUCKET = "signalbox";
const KEY = "signalbox-key";

const hasVersity = spawnSync("versitygw", ["--version"]).status === 0;

/** An S3 server with one bucket: VersityGW where it is installed, otherwise one in the memory of this process. */
export async function startS3Store() {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-s3-"));
  const { port, stop } = await (hasVersity ? startVersity(folder) : startFake());
  return {
    settings: {
      STORAGE_URL: `s3://${BUCKET}/files?endpoint=http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: KEY,
    },
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startVersity(folder: string) {
  const [files, metadata] = [path.join(folder, "files"), path.join(folder, "metadata")];
  for (const made of [path.join(files, BUCKET), metadata]) await mkdir(made, { recursive: true });
  const port = await freePort();
  // Not every file system has the extended attributes that it would otherwise use.
  const args = ["--quiet", "--port", `127.0.0.1:${port}`, "posix", "--sidecar", metadata, files];
  const env = { ...process.env, ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: KEY };
  const child = spawn("versitygw", args, { stdio: "ignore", env });
  await waitLong(() => answers(port), "VersityGW does not answer");
  return {
    port,
    stop: async () => {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );

async function startFake() {
  const { port, close } = await startFakeS3();
  return { port, stop: close };
}

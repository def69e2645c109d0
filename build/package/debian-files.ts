import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Downloads packages of Debian for an architecture and unpacks them into `target`, without installing them or changing the machine's
 * lists of packages. Requires Debian, and for the checksums of its packages the machine's own sources.
 */
export async function unpackDebianPackages(
  architecture: string,
  names: string[],
  { target, downloads }: { target: string; downloads: string },
): Promise<void> {
  const apt = path.join(downloads, `apt-${architecture}`);
  const folders = ["state/lists/partial", "cache/archives/partial", "debs"];
  for (const folder of folders) await mkdir(path.join(apt, folder), { recursive: true });
  // As if nothing was installed. APT changes the mode of this file, so it must not be /dev/null.
  await writeFile(path.join(apt, "state/status"), "");
  const options = [
    `Dir::State=${apt}/state`,
    `Dir::State::status=${apt}/state/status`,
    `Dir::Cache=${apt}/cache`,
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    "APT::Sandbox::User=root",
    "Acquire::Languages=none",
  ].flatMap((option) => ["-o", option]);
  const quiet = { cwd: path.join(apt, "debs"), maxBuffer: 64 * 1024 ** 2 };
  await run("apt-get", [...options, "-qq", "update"], quiet);
  await run("apt-get", [...options, "-qq", "download", ...names], quiet);
  await mkdir(target, { recursive: true });
  for (const file of await readdir(quiet.cwd))
    await run("dpkg-deb", ["--extract", path.join(quiet.cwd, file), target]);
}

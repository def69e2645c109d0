import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { unpackDebianPackages } from "../../build/package/debian-files.ts";
import { runProgram, type Run } from "./packaged-program.ts";

/** What the one file needs in Debian: a shell and the usual tools. */
export const DEBIAN_TOOLS = (
  "libc6 libstdc++6 libgcc-s1 gcc-12-base libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10 " +
  "dash coreutils sed tar gzip findutils"
).split(" ");

/** Unpacks packages of Debian into a new folder, with an account for PostgreSQL. dpkg regards them as installed. */
export async function makeRoot(packages: string[]): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "signalbox-root-"));
  // PostgreSQL's account enters it.
  await chmod(root, 0o755);
  const downloads = await mkdtemp(path.join(tmpdir(), "signalbox-downloads-"));
  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  await unpackDebianPackages(architecture, packages, { target: root, downloads });
  await writeStatus(root, path.join(downloads, `apt-${architecture}/debs`));
  await rm(downloads, { recursive: true });
  for (const folder of ["dev", "proc", "tmp", "etc", "srv", "usr/bin"])
    await mkdir(path.join(root, folder), { recursive: true });
  await chmod(path.join(root, "tmp"), 0o1777);
  const accounts = ["root:x:0:0:root:/root:/bin/sh", "nobody:x:65534:65534:nobody:/nonexistent:/bin/false"];
  await writeFile(path.join(root, "etc/passwd"), `${accounts.join("\n")}\n`);
  await writeFile(path.join(root, "etc/shadow"), "root:*:::::::\nnobody:*:::::::\n");
  await writeFile(path.join(root, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");
  await appendFile(path.join(root, "etc/hosts"), "127.0.0.1 localhost\n");
  return root;
}

/** dpkg compares what a package depends on with this list. */
async function writeStatus(root: string, debs: string): Promise<void> {
  const entries = (await readdir(debs)).map((file) =>
    execFileSync("dpkg-deb", ["--field", path.join(debs, file)], { encoding: "utf8" }).replace(
      /\n/,
      "\nStatus: install ok installed\n",
    ),
  );
  for (const folder of ["info", "updates"])
    await mkdir(path.join(root, "var/lib/dpkg", folder), { recursive: true });
  await writeFile(path.join(root, "var/lib/dpkg/status"), entries.join("\n"));
}

export async function linkShell(root: string): Promise<void> {
  const shell = path.join(root, "bin/sh");
  if (!existsSync(shell)) await symlink("dash", shell);
}

/** Runs a command in the root, with a file system of processes and with devices, which go with the process. */
export function runInRoot(root: string, command: string[], env: Record<string, string> = {}): Run {
  const mounts = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
  const { PATH = "" } = process.env;
  return runProgram(["unshare", "--mount", "sh", "-c", mounts, root, ...command], {
    cwd: "/",
    env: { PATH: `${PATH}:/usr/sbin:/sbin`, ...env },
  });
}

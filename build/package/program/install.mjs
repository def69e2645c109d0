import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  cpSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

// Completes the unpacked folder that this file is in, and gives it its name: a folder with that name is complete, even after a
// loss of power. The arguments are the name and, on machines without glibc, `with-glibc`.

const PARTIAL = import.meta.dirname;
const POSTGRES = path.join(PARTIAL, "@POSTGRES@");
/** This version and the one before it, which an upgrade may return to and whose server may still run. */
const KEPT_VERSIONS = 2;

const [target, how] = process.argv.slice(2);
if (how === "with-glibc") {
  // PostgreSQL's folder is copied for the account that it runs as, so it has its own C library.
  cpSync(path.join(PARTIAL, "glibc"), path.join(POSTGRES, "glibc"), { recursive: true });
  for (const name of ["postgres", "initdb", "pg_ctl"]) runOnGlibc(path.join(POSTGRES, "bin"), name);
  runOnGlibc(path.join(PARTIAL, "bin"), "node");
}
syncAll();
utimesSync(PARTIAL, new Date(), new Date());
try {
  renameSync(PARTIAL, target);
} catch (error) {
  // Another process was faster.
  if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
}
syncFolder(path.dirname(target));
removeOldVersions(path.dirname(target));

/**
 * Replaces a program by a script that runs it on our C library. The loader is started under the program's name, because that is
 * the name of the process, by which the server recognizes PostgreSQL.
 */
function runOnGlibc(folder, name) {
  renameSync(path.join(folder, name), path.join(folder, `${name}.bin`));
  symlinkSync("loader", path.join(folder, "../glibc", name));
  writeFileSync(
    path.join(folder, name),
    `#!/bin/sh
case $0 in */*) here=\${0%/*} ;; *) here=. ;; esac
exec "$here/../glibc/${name}" --library-path "$here/../glibc:$here/../lib" --argv0 "$0" "$here/${name}.bin" "$@"
`,
  );
  chmodSync(path.join(folder, name), 0o755);
}

/** BusyBox may not be able to sync only the file system of the folder. Syncing each of 7,000 files takes much longer. */
function syncAll() {
  if (spawnSync("sync", ["-f", PARTIAL], { stdio: "ignore" }).status !== 0) spawnSync("sync");
}

function syncFolder(folder) {
  const handle = openSync(folder, "r");
  fsyncSync(handle);
  closeSync(handle);
}

/** Also removes what killed processes have left. A folder that is being unpacked is named `.partial-VERSION-PID`. */
function removeOldVersions(folder) {
  const time = (name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = readdirSync(folder);
  const versions = names.filter((name) => !name.startsWith(".")).sort((a, b) => time(b) - time(a));
  const commands = runningCommands();
  const unused = versions
    .slice(KEPT_VERSIONS)
    .filter((name) => !commands.some((command) => command.includes(`/${name}/start.mjs`)));
  const unfinished = names.filter((name) => name.startsWith(".partial-") && !isBeingUnpacked(name));
  // The archiver of a killed process may still write for a moment.
  for (const name of [...unused, ...unfinished])
    rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function runningCommands() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        // The process has ended.
        return "";
      }
    });
}

function isBeingUnpacked(name) {
  try {
    process.kill(Number(name.split("-").at(-1)), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

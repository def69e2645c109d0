import { access, constants, stat, statfs } from "node:fs/promises";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** The first version whose crypto module has Argon2. */
const MIN_NODE: [major: number, minor: number] = [24, 7];
const MIB = 1_048_576;
const WARN_BYTES = 2_048 * MIB;
const FAIL_BYTES = 256 * MIB;

/** `version` as in process.versions.node. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = MIN_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok("node", version);
  return fail(
    "node",
    `${version} is older than ${MIN_NODE.join(".")}`,
    "Run it with npm (npm start), which uses the Node that npm ci installed.",
  );
}

export async function checkDataDir(dataDir: string): Promise<Finding[]> {
  const stats = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error)
    return stats.code === "ENOENT"
      ? [warn("data folder", `${dataDir} does not exist yet`, "Start the server, or set DATA_DIR.")]
      : [fail("data folder", stats.message, "Give the server's account access, or set DATA_DIR.")];
  if (!stats.isDirectory())
    return [fail("data folder", `${dataDir} is not a folder`, "Set DATA_DIR to a folder.")];
  const findings: Finding[] = [];
  const us = process.getuid?.();
  const usable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!usable)
    findings.push(
      fail(
        "data folder",
        `this account cannot write to ${dataDir}`,
        `Change its owner: chown ${us} ${dataDir}`,
      ),
    );
  else if (us !== undefined && stats.uid !== us)
    findings.push(
      warn(
        "data folder",
        `${dataDir} belongs to uid ${stats.uid}, but doctor runs as uid ${us}`,
        "Run all commands as the account that runs the server.",
      ),
    );
  if ((stats.mode & 0o022) !== 0)
    findings.push(
      warn(
        "data folder",
        `other accounts can write to ${dataDir}`,
        `Remove their permission: chmod go-w ${dataDir}`,
      ),
    );
  return findings.length > 0 ? findings : [ok("data folder", dataDir)];
}

export async function checkSpace(dataDir: string): Promise<Finding[]> {
  const disk = await statfs(dataDir).catch(() => undefined);
  if (!disk) return [];
  const free = disk.bavail * disk.bsize;
  const text = `${Math.floor(free / MIB)} MB free`;
  const fix = "Free some space, reduce RETENTION_DAYS, or move DATA_DIR to a larger disk.";
  if (free < FAIL_BYTES) return [fail("disk", text, fix)];
  return [free < WARN_BYTES ? warn("disk", text, fix) : ok("disk", text)];
}

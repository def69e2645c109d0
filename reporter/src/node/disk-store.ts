import type { ErrorEventBody } from "../core/event.ts";
import { attempt } from "../core/safe.ts";
import { builtin } from "./builtin.ts";
import { createClaim, isClaimed } from "./claim.ts";

/** Storage that outlives the process. Its functions may throw. */
export interface EventStore {
  /** Stores an event. Returns the key that removes it. */
  keep: (event: ErrorEventBody) => string;
  remove: (key: string) => void;
  /** Claims the events that earlier processes left behind; each is returned to one process only. */
  take: () => { key: string; event: ErrorEventBody }[];
  /** Releases events that this process stored or claimed, for the next process. */
  release: (keys: string[]) => void;
}

/**
 * Stores each event as a file in `folder`, readable only by the current user. Several processes may share the folder: a
 * process claims a file by renaming it, so only one sends it. The files of a process that died are taken by the next one
 * that starts; on another machine, ten minutes later.
 */
export function createDiskStore(folder: string, maxEvents: number): EventStore {
  const fs = builtin("node:fs");
  const path = builtin("node:path");
  const mark = createClaim();
  let count = 0;

  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const events = () => fs.readdirSync(folder).filter((name) => /^\d+-[\w-]+\.json(\.taken-.+)?$/.test(name));

  return {
    keep(event) {
      const names = events().sort();
      // Names sort by age. The oldest go first, so that a folder that is never emptied cannot fill the disk.
      for (const name of names.slice(0, Math.max(0, names.length - maxEvents + 1)))
        fs.rmSync(path.join(folder, name));
      const free = `${Date.now()}-${process.pid}-${(count += 1)}${mark.slice(-7)}.json`;
      const key = free + mark;
      // Write to another name, then rename: a crash in between leaves no partial event.
      fs.writeFileSync(path.join(folder, `${key}.part`), JSON.stringify(event), { mode: 0o600 });
      fs.renameSync(path.join(folder, `${key}.part`), path.join(folder, key));
      return key;
    },
    remove: (key) => fs.rmSync(path.join(folder, key), { force: true }),
    take() {
      const taken: ReturnType<EventStore["take"]> = [];
      for (const name of events().sort()) {
        const file = path.join(folder, name);
        if (isClaimed(name, attempt(() => fs.statSync(file).mtimeMs) ?? 0)) continue;
        const key = name.replace(/\.taken-.*/, "") + mark;
        const own = path.join(folder, key);
        try {
          fs.renameSync(file, own);
          fs.utimesSync(own, new Date(), new Date());
        } catch {
          // Another process claimed it first.
          continue;
        }
        const event = attempt(() => JSON.parse(fs.readFileSync(own, "utf8")));
        if (event) taken.push({ key, event });
        else fs.rmSync(own, { force: true });
      }
      return taken;
    },
    release(keys) {
      for (const key of keys)
        attempt(() => fs.renameSync(path.join(folder, key), path.join(folder, key.replace(mark, ""))));
    },
  };
}

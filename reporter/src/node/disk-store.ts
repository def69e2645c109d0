import type { ErrorEventBody } from "../core/event.ts";
import { attempt } from "../core/safe.ts";
import { builtin } from "./builtin.ts";

/** A place that outlives the process. Its functions may throw. */
export interface EventStore {
  /** Keeps one event and answers the key that removes it. */
  keep: (event: ErrorEventBody) => string;
  remove: (key: string) => void;
  /** The events an earlier process left, each for one reader only. */
  take: () => { key: string; event: ErrorEventBody }[];
  /** Gives back what this process took or kept, for the next one. */
  release: (keys: string[]) => void;
}

/** How long a file that another process took counts as being sent by it. */
const claimMs = 600_000;

/**
 * Keeps events as files in `folder`, one each, readable by this user only; several processes may share it. A process
 * that takes a file renames it, so no two send it; a file whose taker died is free again after ten minutes.
 */
export function createDiskStore(folder: string, maxEvents: number): EventStore {
  const fs = builtin("node:fs");
  const path = builtin("node:path");
  const mark = `.taken-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  let count = 0;

  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const events = () => fs.readdirSync(folder).filter((name) => /^\d+-[\w-]+\.json(\.taken-.+)?$/.test(name));

  return {
    keep(event) {
      const names = events().sort();
      // Oldest first by name; a folder that nobody empties must not fill the disk.
      for (const name of names.slice(0, Math.max(0, names.length - maxEvents + 1)))
        fs.rmSync(path.join(folder, name));
      const free = `${Date.now()}-${process.pid}-${(count += 1)}${mark.slice(-7)}.json`;
      const key = free + mark;
      // Written beside and renamed, so that a crash in between leaves no half event.
      fs.writeFileSync(path.join(folder, `${key}.part`), JSON.stringify(event), { mode: 0o600 });
      fs.renameSync(path.join(folder, `${key}.part`), path.join(folder, key));
      return key;
    },
    remove: (key) => fs.rmSync(path.join(folder, key), { force: true }),
    take() {
      const taken: ReturnType<EventStore["take"]> = [];
      for (const name of events().sort()) {
        const claimed = name.includes(".taken-");
        const file = path.join(folder, name);
        if (claimed && Date.now() - fs.statSync(file).mtimeMs < claimMs) continue;
        const key = name.replace(/\.taken-.*/, "") + mark;
        const own = path.join(folder, key);
        try {
          fs.renameSync(file, own);
          fs.utimesSync(own, new Date(), new Date());
        } catch {
          // Another process was quicker.
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

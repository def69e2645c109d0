import type { ErrorEventBody, Pending } from "./event.ts";
import type { CaptureDetails } from "./options.ts";
import type { Transport } from "./transport.ts";

/** What differs between Node, the browser and a test: everything that touches the world. */
export interface Platform {
  transport: Transport;
  /** Milliseconds, never going back. */
  now: () => number;
  /** Calls `run` once after `ms`, without keeping the process alive; answers how to call it off. */
  timer: (ms: number, run: () => void) => () => void;
  /** As `timer`, but the process waits for it: the deadline of a flush. Left out where nothing waits. */
  deadline?: (ms: number, run: () => void) => () => void;
  /** 0 to 1, as Math.random. */
  random: () => number;
  log: (line: string) => void;
  /** The fields that come from the machine rather than from the error. */
  facts: (details: CaptureDetails) => Partial<ErrorEventBody>;
  /** Keeps an event that will wait, where there is a disk. May throw. */
  keep?: (one: Pending) => void;
  /** Drops what was kept of an event that is settled. May throw. */
  forget?: (one: Pending) => void;
}

import type { ErrorEventBody, Pending } from "./event.ts";
import type { Repeated } from "./occurrences.ts";
import type { CaptureDetails } from "./options.ts";
import type { Trail } from "./trail.ts";
import type { SendResult, Transport } from "./transport.ts";

/** What differs between Node, browsers and tests: I/O, time and randomness. */
export interface Platform {
  transport: Transport;
  /** Monotonic, in milliseconds. */
  now: () => number;
  /** Calls `run` once after `ms` without keeping the process alive. Returns a function that cancels it. */
  timer: (ms: number, run: () => void) => () => void;
  /** Like `timer`, but keeps the process alive; used for the deadline of a flush. Default: `timer`. */
  deadline?: (ms: number, run: () => void) => () => void;
  random: () => number;
  log: (line: string) => void;
  repeated: Repeated;
  /** The event fields that describe the machine and the caller's details, and the frames of the trace. */
  facts: (details: CaptureDetails, trace: string) => Partial<ErrorEventBody>;
  /** The trail of the running request or job, if any. */
  trail?: () => Trail | undefined;
  /** Completes details with those of the running request or job. */
  inScope?: (details: CaptureDetails) => CaptureDetails;
  /** Says which option is wrong after such a response. */
  explain?: (answer: SendResult) => string;
  /** Called with each event that will be sent, before it is cut. */
  accepted?: (event: ErrorEventBody) => void;
  /** Cuts an event to the server's limits. May throw. Default: the server refuses what does not fit, see `smaller`. */
  fit?: (event: ErrorEventBody) => ErrorEventBody;
  /** Stores an event that has to wait, if there is a disk. May throw. */
  keep?: (pending: Pending) => void;
  /** Deletes the stored copy of an event that needs no further attempt. May throw. */
  forget?: (pending: Pending) => void;
}

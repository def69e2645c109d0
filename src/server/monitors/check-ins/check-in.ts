/** A check-in as a program sends it. */
export type SentCheckIn = {
  status: "in_progress" | "ok" | "error";
  /** 32 hexadecimal characters. Null if the program has none: a final status then ends the latest running check-in. */
  check_in_id: string | null;
  environment: string;
  /** Seconds. */
  duration: number | null;
  release: string | null;
  trace_id: string | null;
  text: string | null;
};

export const DEFAULT_ENVIRONMENT = "production";

/** Sent for a monitor that exists. */
export type CheckInOf = SentCheckIn & { monitor: { id: number; project_id: number } };

/**
 * `unknown`: the monitor has been deleted. `too many`: the environment has more than 6 check-ins in a minute, or the monitor too many
 * environments.
 */
export type CheckInOutcome = "recorded" | "too many" | "unknown";

/** The exception classes of the errors that Signalbox creates for a monitor, by what happened to the check-in. */
export const MONITOR_ERRORS = {
  failed: "MonitorFailed",
  missed: "MonitorMissed",
  timeout: "MonitorTimeout",
} as const;

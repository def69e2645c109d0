import {
  BellOff,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  TimerOff,
} from "lucide-react";
import type { CheckInStatus, Monitor, MonitorStatus } from "../../shared/monitors.ts";
import type { Tone } from "../kit/badge.tsx";

type Look = { label: string; tone: Tone; icon: LucideIcon };

export const MONITOR_LOOKS: Record<MonitorStatus, Look> = {
  failing: { label: "Failing", tone: "regressed", icon: CircleX },
  timeout: { label: "Timed out", tone: "regressed", icon: TimerOff },
  missed: { label: "Missed", tone: "regressed", icon: CircleAlert },
  running: { label: "Running", tone: "accent", icon: LoaderCircle },
  ok: { label: "OK", tone: "resolved", icon: CircleCheck },
  waiting: { label: "Waiting", tone: "neutral", icon: CircleDashed },
  muted: { label: "Muted", tone: "ignored", icon: BellOff },
};

export const CHECK_IN_LOOKS: Record<CheckInStatus, Look> = {
  in_progress: { label: "Running", tone: "accent", icon: LoaderCircle },
  ok: { label: "OK", tone: "resolved", icon: CircleCheck },
  error: { label: "Failed", tone: "regressed", icon: CircleX },
  missed: { label: "Missed", tone: "regressed", icon: CircleAlert },
  timeout: { label: "Timed out", tone: "regressed", icon: TimerOff },
  unknown: { label: "Unknown", tone: "neutral", icon: CircleHelp },
};

/** The order of `MONITOR_LOOKS` is from the worst. */
const FROM_WORST = Object.keys(MONITOR_LOOKS) as MonitorStatus[];

/** The worst status of its environments; it waits before the first check-in. */
export function statusOf({ environments, muted_until }: Monitor): MonitorStatus {
  if (muted_until !== null) return "muted";
  return FROM_WORST.find((status) => environments.some((one) => one.status === status)) ?? "waiting";
}

/** The time of the last check-in in any environment. */
export const lastCheckIn = ({ environments }: Monitor): string | null =>
  timesOf(environments.map((one) => one.last_check_in_at)).at(-1) ?? null;

/** The next time at which a check-in is due in any environment. */
export const nextDue = ({ environments }: Monitor): string | null =>
  timesOf(environments.map((one) => one.next_due_at))[0] ?? null;

const timesOf = (times: readonly (string | null)[]) =>
  times.filter((time) => time !== null).toSorted((a, b) => Date.parse(a) - Date.parse(b));

const BAD: ReadonlySet<MonitorStatus> = new Set(["failing", "timeout", "missed"]);

/** The monitors of a tab: those that fail, or all. */
export const monitorsIn = (monitors: readonly Monitor[], tab: string | undefined): Monitor[] =>
  monitors.filter((monitor) => tab !== "failing" || BAD.has(statusOf(monitor)));

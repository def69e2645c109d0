import {
  MONITOR_NUMBERS,
  monitorSchedule,
  type MonitorSchedule,
  type NewMonitor,
} from "../../../shared/monitors.ts";
import { nameWithout } from "../../ingest/read/clean-name.ts";
import { at, integer, record } from "../../ingest/read/coerce.ts";
import { readEventId } from "../../ingest/read/event-additions.ts";
import { addressesInName, addressesInRelease } from "../../ingest/remove-personal-data/personal-values.ts";
import { isSchedule } from "../schedule/require-valid-schedule.ts";
import { isTimeZone } from "../schedule/wall-time.ts";
import { toSlug } from "./slug.ts";
import { DEFAULT_ENVIRONMENT, type SentCheckIn } from "./check-in.ts";

const STATUSES = ["in_progress", "ok", "error"] as const;

/** A week and more is no duration of a run. */
const MAX_SECONDS = 43_200 * 60 * 2;

/**
 * What a Sentry SDK says of a monitor. Fields that are missing or invalid are left out: a new monitor gets their defaults, and an
 * existing one keeps what it has, which someone may have set in the web app.
 */
export type SentMonitor = Omit<NewMonitor, "name" | "slug">;

export type SentryCheckIn = { slug: string; checkIn: SentCheckIn; config: SentMonitor | undefined };

/** Reads the item `check_in` of an envelope, or the body for the cron URL. Undefined if it has no slug or no known status. */
export function readSentryCheckIn(sent: unknown): SentryCheckIn | undefined {
  const { monitor_slug, status, check_in_id, duration, monitor_config } = record(sent) as Record<
    string,
    unknown
  >;
  const { environment, release } = record(sent);
  const slug = toSlug(typeof monitor_slug === "string" ? monitor_slug : "");
  const known = STATUSES.find((one) => one === status);
  if (slug === "" || known === undefined) return undefined;
  return {
    slug,
    checkIn: {
      status: known,
      check_in_id: readEventId(check_in_id),
      environment: nameWithout(addressesInName, environment, new Map()) ?? DEFAULT_ENVIRONMENT,
      duration: secondsOf(duration),
      release: nameWithout(addressesInRelease, release, new Map()),
      trace_id: readEventId(at(sent, "contexts", "trace", "trace_id")),
      text: null,
    },
    config: readConfig(monitor_config),
  };
}

const secondsOf = (sent: unknown): number | null =>
  typeof sent === "number" && sent >= 0 && sent <= MAX_SECONDS ? sent : null;

/** Undefined without a valid schedule. */
function readConfig(sent: unknown): SentMonitor | undefined {
  const config = record(sent) as Record<string, unknown>;
  const schedule = scheduleIn(config["schedule"]);
  if (!schedule) return undefined;
  const timezone = config["timezone"];
  const numberOf = (column: keyof typeof MONITOR_NUMBERS, value: unknown) =>
    integer(value, MONITOR_NUMBERS[column].min, MONITOR_NUMBERS[column].max) ?? undefined;
  return {
    schedule,
    timezone: typeof timezone === "string" && isTimeZone(timezone) ? timezone : undefined,
    margin_minutes: numberOf("margin_minutes", config["checkin_margin"]),
    max_runtime_minutes: numberOf("max_runtime_minutes", config["max_runtime"]),
    failure_threshold: numberOf("failure_threshold", config["failure_issue_threshold"]),
    recovery_threshold: numberOf("recovery_threshold", config["recovery_threshold"]),
  };
}

function scheduleIn(sent: unknown): MonitorSchedule | undefined {
  const { type, value, unit } = record(sent) as Record<string, unknown>;
  const parsed = monitorSchedule.safeParse(type === "crontab" ? { type, value } : { type, value, unit });
  return parsed.success && isSchedule(parsed.data) ? parsed.data : undefined;
}

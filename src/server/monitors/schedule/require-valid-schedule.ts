import type { MonitorSchedule } from "../../../shared/monitors.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";
import { crontabOf } from "./crontab.ts";
import { isTimeZone } from "./wall-time.ts";

/** 422 if the crontab or the time zone is invalid. */
export function requireValidSchedule(
  schedule: MonitorSchedule | undefined,
  timezone: string | undefined,
): void {
  const errors: FieldErrors = {};
  if (schedule && !isSchedule(schedule))
    errors["schedule.value"] = [
      "must be a crontab of five fields that some time matches, or @daily and the like",
    ];
  if (timezone !== undefined && !isTimeZone(timezone))
    errors["timezone"] = ["must be an IANA time zone such as Europe/Berlin"];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

export const isSchedule = (schedule: MonitorSchedule): boolean =>
  schedule.type === "interval" || crontabOf(schedule.value) !== undefined;

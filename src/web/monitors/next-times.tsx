import { useQuery } from "@tanstack/react-query";
import { use } from "react";
import { ApiError, messageOf } from "../api/client.ts";
import type { MonitorSchedule } from "../../shared/monitors.ts";
import { type ScheduledTimes, schedulePreviewQuery } from "../data/monitors/monitors.ts";
import { TimeZoneContext } from "../kit/dates/time.tsx";
import { useSettled } from "../kit/use-settled.ts";
import { scheduleText } from "./schedule-text.ts";

type Props = { projectId: number; schedule: MonitorSchedule; timezone: string };

/** Typing pauses for this long before the times are read again, in milliseconds. */
const SETTLED_MS = 300;

/** The schedule as a sentence, with its next times in the reader's time zone. */
export function NextTimes({ projectId, schedule, timezone }: Props) {
  const timeZone = use(TimeZoneContext);
  const settled = JSON.parse(
    useSettled(JSON.stringify({ schedule, timezone }), SETTLED_MS),
  ) as ScheduledTimes;
  const { data: times, error } = useQuery(schedulePreviewQuery(projectId, settled));
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (
    <section aria-label="Next times" className="flex min-h-40 flex-col gap-1 rounded-md bg-sunken p-3">
      <p role="status" className="font-medium">
        {error ? whyNot(error) : times ? scheduleText(settled.schedule) : "Looking up the next times…"}
      </p>
      {!error && times && (
        <>
          <ol className="text-text-2 tabular-nums">
            {times.map((time) => (
              <li key={time}>
                <time dateTime={time}>{format.format(Date.parse(time))}</time>
              </li>
            ))}
          </ol>
          <p className="text-sm text-text-3">
            {times.length === 0 ? "No time matches this schedule." : `Times in ${timeZone}.`}
          </p>
        </>
      )}
    </section>
  );
}

const whyNot = (error: Error) =>
  error instanceof ApiError && error.status === 422
    ? "Complete the schedule to see its next times."
    : messageOf(error);

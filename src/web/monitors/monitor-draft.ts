import type { z } from "zod";
import type { Monitor, monitorBody, MonitorSchedule } from "../../shared/monitors.ts";

/** What the form holds: texts as they are typed. */
export type MonitorDraft = {
  name: string;
  /** Empty: made from the name. */
  slug: string;
  type: MonitorSchedule["type"];
  crontab: string;
  count: string;
  unit: Extract<MonitorSchedule, { type: "interval" }>["unit"];
  timezone: string;
  margin_minutes: string;
  max_runtime_minutes: string;
  failure_threshold: string;
  recovery_threshold: string;
};

/** The fields of a monitor, or those of a new one in the person's time zone. */
export function draftOf(monitor: Monitor | undefined, timeZone: string): MonitorDraft {
  const { schedule } = monitor ?? {};
  return {
    name: monitor?.name ?? "",
    slug: monitor?.slug ?? "",
    type: schedule?.type ?? "crontab",
    crontab: schedule?.type === "crontab" ? schedule.value : "0 2 * * *",
    count: schedule?.type === "interval" ? String(schedule.value) : "1",
    unit: schedule?.type === "interval" ? schedule.unit : "hour",
    timezone: monitor?.timezone ?? timeZone,
    margin_minutes: String(monitor?.margin_minutes ?? 1),
    max_runtime_minutes: String(monitor?.max_runtime_minutes ?? 30),
    failure_threshold: String(monitor?.failure_threshold ?? 1),
    recovery_threshold: String(monitor?.recovery_threshold ?? 1),
  };
}

export const scheduleOf = ({ type, crontab, count, unit }: MonitorDraft): MonitorSchedule =>
  type === "crontab" ? { type, value: crontab.trim() } : { type, value: numberOf(count), unit };

/** The body of a request, without the slug if the name decides it. */
export const bodyOf = (draft: MonitorDraft): z.input<typeof monitorBody> => ({
  name: draft.name,
  ...(draft.slug.trim() === "" ? {} : { slug: draft.slug.trim() }),
  schedule: scheduleOf(draft),
  timezone: draft.timezone,
  margin_minutes: numberOf(draft.margin_minutes),
  max_runtime_minutes: numberOf(draft.max_runtime_minutes),
  failure_threshold: numberOf(draft.failure_threshold),
  recovery_threshold: numberOf(draft.recovery_threshold),
});

/** The server rejects what is no number. */
const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

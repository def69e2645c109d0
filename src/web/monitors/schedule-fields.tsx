import { useMemo, useState } from "react";
import { errorOf } from "../forms/form-dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { Select } from "../kit/select.tsx";
import { timeZoneChoices } from "../profile/time-zones.ts";
import type { MonitorDraft } from "./monitor-draft.ts";

type Props = {
  draft: MonitorDraft;
  change: (changes: Partial<MonitorDraft>) => void;
  /** What the server has rejected. */
  error: unknown;
};

const TYPES = [
  { value: "crontab", label: "Crontab" },
  { value: "interval", label: "Interval" },
];

const UNITS = ["minute", "hour", "day", "week", "month"].map((value) => ({ value, label: `${value}s` }));

/** When a job is expected: a crontab in a time zone, or an interval. */
export function ScheduleFields({ draft, change, error }: Props) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Schedule">
          <Select
            value={draft.type}
            options={TYPES}
            onChange={(type) => change({ type: type as MonitorDraft["type"] })}
          />
        </Field>
        {draft.type === "crontab" ? (
          <Field
            label="Crontab"
            hint="Minute, hour, day, month, day of the week."
            error={errorOf(error, "schedule.value")}
          >
            <Input
              value={draft.crontab}
              onChange={(event) => change({ crontab: event.target.value })}
              className="font-mono"
              required
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        ) : (
          <div className="grid grid-cols-2 gap-3">
            <Field label="Every" error={errorOf(error, "schedule.value")}>
              <Input
                type="number"
                min={1}
                max={1_000}
                value={draft.count}
                onChange={(event) => change({ count: event.target.value })}
                required
              />
            </Field>
            <Field label="Unit">
              <Select
                value={draft.unit}
                options={UNITS}
                onChange={(unit) => change({ unit: unit as MonitorDraft["unit"] })}
              />
            </Field>
          </div>
        )}
      </div>
      <Field label="Time zone of the schedule" error={errorOf(error, "timezone")}>
        <TimeZoneSelect value={draft.timezone} onChange={(timezone) => change({ timezone })} />
      </Field>
    </>
  );
}

function TimeZoneSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [now] = useState(() => new Date());
  const zones = useMemo(() => timeZoneChoices(value, now), [value, now]);
  return <Select value={value} options={zones} onChange={onChange} />;
}

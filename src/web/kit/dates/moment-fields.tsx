import { type RefObject, use, useState } from "react";
import { DateInput } from "./date-input.tsx";
import { Field } from "../field.tsx";
import { readTime } from "./read-time.ts";
import { MORNING } from "./snooze-times.ts";
import { TimeInput } from "./time-input.tsx";
import { TimeZoneContext, useToday } from "./time.tsx";

type Props = {
  /** `2026-11-20T14:30` in the person's time zone; `""` for none. A part that is missing or wrong makes it no moment. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  /** Default: "Date" and "Time". */
  labels?: { date: string; time: string };
  /** Whether days before today can be chosen. */
  past?: boolean;
  /** The field of the date. */
  field?: RefObject<HTMLInputElement | null> | undefined;
};

/** A date and a time; in the future, unless `past` is set. */
export function MomentFields({ value, onChange, error, labels = LABELS, past = false, field }: Props) {
  const today = useToday();
  const timeZone = use(TimeZoneContext);
  const [day = "", time = ""] = value.split("T");
  /** The time that was chosen for a day, which is kept while the person replaces the day. */
  const [kept, setKept] = useState(time || MORNING);
  const changeDay = (next: string | null) => {
    if (time !== "") setKept(time);
    onChange(next === null ? "" : `${next}T${time || kept}`);
  };
  const isTimeWrong = day !== "" && readTime(time) === undefined;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-3">
      <Field label={labels.date} hint={`Time zone: ${timeZone}`} error={isTimeWrong ? undefined : error}>
        <DateInput
          input={field}
          value={day === "" ? null : day}
          min={past ? undefined : today}
          onChange={changeDay}
        />
      </Field>
      <Field label={labels.time} error={isTimeWrong ? error : undefined}>
        <TimeInput
          value={time}
          onChange={(next) => onChange(day === "" && next === "" ? "" : `${day}T${next}`)}
        />
      </Field>
    </div>
  );
}

const LABELS = { date: "Date", time: "Time" };

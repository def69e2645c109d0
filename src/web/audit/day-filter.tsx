import { useState } from "react";
import { DateInput } from "../kit/dates/date-input.tsx";

type Props = { value: string; onChange: (day: string) => void };

/** A date filter. While a date is typed, the text can be other dates, so `onChange` is called on Enter or blur. */
export function DayFilter({ value, onChange }: Props) {
  const [day, setDay] = useState(value);
  const [shown, setShown] = useState(value);
  // The value was changed from outside: browser history, a link, cleared filters.
  if (shown !== value) {
    setShown(value);
    setDay(value);
  }
  const tell = (next: string) => {
    if (next !== value) onChange(next);
  };
  return (
    <DateInput
      value={day === "" ? null : day}
      onChange={(next) => setDay(next ?? "")}
      onPick={(next) => {
        setDay(next ?? "");
        tell(next ?? "");
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter") tell(day);
      }}
      onBlur={() => tell(day)}
    />
  );
}

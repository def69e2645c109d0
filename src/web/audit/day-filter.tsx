import { useRef, useState } from "react";
import { DateInput } from "../kit/date-input.tsx";

type Props = { value: string; onChange: (day: string) => void };

/**
 * A date filter. While a date is typed, the field passes through other dates (the year 2, 20 and 202), so `onChange` is
 * called on Enter or blur; for a picked date, immediately.
 */
export function DayFilter({ value, onChange }: Props) {
  const [day, setDay] = useState(value);
  const [shown, setShown] = useState(value);
  const isTyping = useRef(false);
  // The value was changed from outside: browser history, a link, cleared filters.
  if (shown !== value) {
    setShown(value);
    setDay(value);
  }
  const tell = (next: string) => {
    isTyping.current = false;
    if (next !== value) onChange(next);
  };
  return (
    <DateInput
      value={day === "" ? null : day}
      onChange={(next) => {
        setDay(next ?? "");
        if (!isTyping.current) tell(next ?? "");
      }}
      onPointerDown={() => {
        isTyping.current = false;
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter") tell(day);
        else isTyping.current = true;
      }}
      onBlur={() => tell(day)}
    />
  );
}

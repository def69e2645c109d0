import { useRef, useState } from "react";
import { DateInput } from "../kit/date-input.tsx";

type Props = { value: string; onChange: (day: string) => void };

/**
 * A day to narrow a list by. One that is typed passes through others (the year 2, 20 and 202), so it is told on Enter or
 * when the field is left; one that is picked is told at once.
 */
export function DayFilter({ value, onChange }: Props) {
  const [day, setDay] = useState(value);
  const [shown, setShown] = useState(value);
  const isTyping = useRef(false);
  // It changed by itself: back, a link, cleared filters.
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

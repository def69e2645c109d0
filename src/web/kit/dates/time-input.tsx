import { type ComponentProps, useState } from "react";
import { Input } from "../input.tsx";
import { addMinutes, readTime } from "./read-time.ts";

type Props = Omit<ComponentProps<"input">, "type" | "value" | "onChange"> & {
  /** `14:30`; while it is being typed, any text. */
  value: string;
  onChange: (time: string) => void;
};

/** By how much the arrow keys change the time, in minutes. */
const STEP = 15;

/** A time of day in 24 hours that is typed, or changed with the arrow keys. */
export function TimeInput({ value, onChange, ...rest }: Props) {
  /** What is being typed. */
  const [typed, setTyped] = useState<string>();
  return (
    <Input
      {...rest}
      autoComplete="off"
      spellCheck={false}
      // The time is also read without its colon, which number pads do not have.
      inputMode="numeric"
      placeholder="14:30"
      value={typed ?? value}
      onFocus={(event) => event.target.select()}
      onBlur={() => setTyped(undefined)}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readTime(target.value) ?? target.value.trim());
      }}
      onKeyDown={(event) => {
        const step = event.key === "ArrowUp" ? STEP : event.key === "ArrowDown" ? -STEP : undefined;
        const time = readTime(value);
        if (step === undefined || time === undefined) return;
        event.preventDefault();
        setTyped(undefined);
        onChange(addMinutes(time, step));
      }}
    />
  );
}

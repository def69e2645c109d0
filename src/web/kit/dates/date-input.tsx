import { CalendarDays } from "lucide-react";
import { type ComponentProps, type FocusEvent, type RefObject, useEffect, useRef, useState } from "react";
import { cx } from "../cx.ts";
import { CONTROL, useFieldControl, useFieldLabel } from "../field.tsx";
import { lazyPart } from "../lazy-part.tsx";
// Imported here, so that it tracks input before the calendar has loaded.
import "../last-input.ts";
import { LazyPopup } from "../lazy-popup.tsx";
import { announce } from "../notices/live-region.ts";
import { readDay } from "./read-day.ts";
import { dayText } from "./time-text.ts";
import { useToday } from "./time.tsx";

type Props = Omit<ComponentProps<"input">, "type" | "value" | "onChange" | "min" | "ref"> & {
  /** `2026-11-20`, or null for none. */
  value: string | null;
  /** Also called while the user types, for every text that is a day. */
  onChange: (day: string | null) => void;
  /** Called instead of `onChange` when the user chooses a day in the calendar. */
  onPick?: (day: string | null) => void;
  /** The first day that can be chosen. */
  min?: string | undefined;
  /** Refers to the text field. */
  input?: RefObject<HTMLInputElement | null> | undefined;
};

const DatePopup = lazyPart(async () => (await import("./date-popup.tsx")).DatePopup);

/** Loads the code of the calendar; called when a button that opens it is hovered or focused. */
const preloadCalendar = () => void DatePopup.preload().catch(() => {});

/** The calendar on its own, for a button that needs no text field. */
export function Calendar(props: ComponentProps<typeof DatePopup>) {
  return (
    <LazyPopup open={props.open} onCancel={() => props.onOpenChange(false)}>
      <DatePopup {...props} />
    </LazyPopup>
  );
}

/** A date that is typed or chosen in a calendar, shown as "20 Nov 2026". `onBlur` is called when the focus leaves both. */
export function DateInput({
  value,
  onChange,
  onPick = onChange,
  min,
  onBlur,
  onFocus,
  onKeyDown,
  ...rest
}: Props) {
  const own = useRef<HTMLInputElement>(null);
  const { className, disabled, input = own, ...others } = rest;
  const today = useToday();
  const [box, setBox] = useState<HTMLElement | null>(null);
  /** What is being typed. */
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  if (isOpen && !wasOpened) setWasOpened(true);
  const isEarly = min !== undefined && value !== null && value < min;
  useEffect(() => {
    input.current?.setCustomValidity(isEarly ? `Choose ${dayText(min)} or a later day.` : "");
  }, [input, isEarly, min]);

  const type = (text: string) => {
    setTyped(text);
    const day = text.trim() === "" ? null : readDay(text, today);
    if (day !== undefined) onChange(day);
  };
  const isUnreadable = typed !== undefined && typed.trim() !== "" && readDay(typed, today) === undefined;
  const settle = () => {
    if (isUnreadable) announce(`“${typed}” is not a date. Enter one such as ${dayText(today)}.`);
    setTyped(undefined);
  };
  /** React reports events of the calendar here, too, although it is at the end of the page. */
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    if (isOpen || box?.contains(event.relatedTarget)) return;
    settle();
    onBlur?.(event);
  };
  return (
    <span ref={setBox} onBlur={leave} className={cx("relative block min-w-0", className)}>
      <input
        {...useFieldControl()}
        {...others}
        ref={input}
        type="text"
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        placeholder={rest.placeholder ?? "Day month year"}
        value={typed ?? (value === null ? "" : dayText(value))}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => {
          // What is typed replaces the date.
          event.currentTarget.select();
          onFocus?.(event);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault();
            settle();
            return setOpen(true);
          }
          if (event.key === "Enter") {
            // Otherwise, the form would be sent with the previous date.
            if (isUnreadable) event.preventDefault();
            settle();
          }
          onKeyDown?.(event);
        }}
        className={cx(CONTROL, "h-8 pe-8")}
      />
      <button
        type="button"
        aria-label="Choose from a calendar"
        aria-describedby={useFieldLabel()}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={disabled}
        className="absolute end-0.5 top-0.5 flex size-7 items-center justify-center rounded-sm text-text-3 hover:bg-hover hover:text-text disabled:opacity-50"
        onPointerEnter={preloadCalendar}
        onFocus={preloadCalendar}
        onClick={() => {
          settle();
          setOpen(!isOpen);
        }}
      >
        <CalendarDays aria-hidden size={14} />
      </button>
      {wasOpened && (
        <Calendar
          open={isOpen}
          onOpenChange={setOpen}
          anchor={box}
          field={input}
          value={value}
          today={today}
          min={min}
          onPick={onPick}
        />
      )}
    </span>
  );
}

import { Popover } from "@base-ui/react/popover";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { Button } from "../button.tsx";
import { cx } from "../cx.ts";
import { addDays } from "./days.ts";
import { FLOATING, PLACED } from "../floating.ts";
import { IconButton } from "../icon-button.tsx";
import { isTouched } from "../last-input.ts";
import { addMonths, weekdayOf, weeksOf } from "./month-days.ts";
import { takeFocus } from "../take-focus.ts";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: HTMLElement | null;
  /** Receives the focus when the calendar closes; by default the button in the anchor. */
  field?: RefObject<HTMLElement | null>;
  value: string | null;
  today: string;
  min?: string | undefined;
  onPick: (day: string | null) => void;
};

/** The calendar of a `DateInput`: a month, whose days are reached with the arrow keys. */
export function DatePopup({ open, onOpenChange, anchor, field, value, today, min, onPick }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  const pick = (day: string | null) => {
    onOpenChange(false);
    onPick(day);
  };
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Portal>
        <Popover.Positioner {...PLACED} anchor={anchor}>
          <Popover.Popup
            ref={popup}
            aria-label="Calendar"
            initialFocus={() =>
              takeFocus(popup.current?.querySelector<HTMLElement>("[data-day][tabindex='0']"))
            }
            // On a touch screen, focusing the field would open the keyboard.
            finalFocus={() =>
              (isTouched() || !field ? anchor?.querySelector("button") : field.current) ?? true
            }
            className={cx(FLOATING, "max-w-(--available-width) p-2")}
          >
            <Month value={value} today={today} min={min} onPick={pick} />
            <div className="mt-1 flex justify-between border-t border-line pt-1">
              <Button
                size="sm"
                variant="quiet"
                disabled={min !== undefined && today < min}
                onClick={() => pick(today)}
              >
                Today
              </Button>
              {value !== null && (
                <Button size="sm" variant="quiet" onClick={() => pick(null)}>
                  Clear
                </Button>
              )}
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type MonthProps = Pick<Props, "value" | "today" | "min" | "onPick">;

function Month({ value, today, min, onPick }: MonthProps) {
  const [current, setCurrent] = useState(() => value ?? (min !== undefined && today < min ? min : today));
  const titleId = useId();
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(false);
  useEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus();
    isMoved.current = false;
  }, [current]);
  const month = current.slice(0, 7);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = dayFor(event.key, current);
    if (to === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    setCurrent(to);
  };
  return (
    <>
      <MonthHead titleId={titleId} month={month} onStep={(step) => setCurrent(addMonths(current, step))} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- days in rows of weeks are a grid */}
      <table ref={grid} role="grid" aria-labelledby={titleId} className="mt-1" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name} className="size-8 text-sm font-normal text-text-3">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0" aria-selected={day === value}>
                  <DayButton day={day} current={current} {...{ value, today, min, onPick }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

type HeadProps = { titleId: string; month: string; onStep: (months: 1 | -1) => void };

function MonthHead({ titleId, month, onStep }: HeadProps) {
  return (
    <div className="flex items-center gap-1 ps-2">
      <h2 id={titleId} aria-live="polite" className="flex-1 font-semibold">
        {monthName(month)}
      </h2>
      <IconButton size="sm" label="Previous month" icon={ChevronLeft} onClick={() => onStep(-1)} />
      <IconButton size="sm" label="Next month" icon={ChevronRight} onClick={() => onStep(1)} />
    </div>
  );
}

/** `current` is the day that the arrow keys have reached. */
function DayButton({
  day,
  current,
  value,
  today,
  min,
  onPick,
}: MonthProps & { day: string; current: string }) {
  const isOfMonth = day.slice(0, 7) === current.slice(0, 7);
  return (
    <button
      type="button"
      data-day={day}
      tabIndex={day === current ? 0 : -1}
      aria-label={longDay(day)}
      aria-current={day === today ? "date" : undefined}
      disabled={min !== undefined && day < min}
      className={cx(
        "size-8 rounded-md hover:bg-hover disabled:opacity-40 pointer-coarse:size-10",
        day === value
          ? "bg-accent text-on-accent hover:bg-accent-hover"
          : day === today
            ? "font-semibold text-accent-text"
            : isOfMonth
              ? ""
              : "text-text-3",
      )}
      onClick={() => onPick(day)}
    >
      {Number(day.slice(8))}
    </button>
  );
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const momentOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
/** "Friday 20 November 2026" */
const longDay = (day: string) => LONG.format(momentOf(day));
const monthName = (month: string) => MONTH.format(momentOf(`${month}-01`));

/** The day that a key leads to. */
function dayFor(key: string, day: string): string | undefined {
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -7);
    case "ArrowDown":
      return addDays(day, 7);
    case "Home":
      return addDays(day, -weekdayOf(day));
    case "End":
      return addDays(day, 6 - weekdayOf(day));
    case "PageUp":
      return addMonths(day, -1);
    case "PageDown":
      return addMonths(day, 1);
    default:
      return undefined;
  }
}

import { CalendarDays } from "lucide-react";
import { type ComponentProps, use, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Calendar, DateInput } from "../../kit/dates/date-input.tsx";
import { isPast, todayIn } from "../../kit/dates/days.ts";
import { Field } from "../../kit/field.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { isTouched } from "../../kit/last-input.ts";
import { Day, TimeZoneContext, useNow } from "../../kit/dates/time.tsx";
import { None, railButton } from "./property.tsx";

type Props = {
  day: string | null;
  /** A closed issue is not overdue. */
  closed: boolean;
  editable: boolean;
  onChange: (day: string | null) => void;
};

/** The due date. A tap opens the calendar, otherwise there is a field: Enter or leaving it saves, Esc cancels. */
export function DueProperty({ day, closed, editable, onChange }: Props) {
  const [draft, setDraft] = useState<{ day: string | null }>();
  const [calendar, setCalendar] = useState<"open" | "closed">();
  const [box, setBox] = useState<HTMLElement | null>(null);
  /** Unmounting the field fires another blur, which must not save again. */
  const isOpen = useRef(false);
  const today = todayIn(use(TimeZoneContext), useNow());
  const shown = <DueDay day={day} overdue={!closed && isPast(day, today)} />;
  if (!editable) return shown;

  const close = (refocus: boolean) => {
    isOpen.current = false;
    if (!refocus) return setDraft(undefined);
    flushSync(() => setDraft(undefined));
    box?.querySelector("button")?.focus();
  };
  const save = (refocus: boolean) => {
    if (!isOpen.current || draft === undefined) return;
    if (draft.day !== day) onChange(draft.day);
    close(refocus);
  };
  return (
    <div ref={setBox} className="group/due relative min-w-0 flex-1">
      {draft === undefined ? (
        <>
          {railButton("Due", shown, {
            onClick: () => (isTouched() ? setCalendar("open") : setDraft({ day })),
          })}
          <CalendarButton isOpen={calendar === "open"} onOpen={() => setCalendar("open")} />
        </>
      ) : (
        <DueField
          day={draft.day}
          onFocus={() => (isOpen.current = true)}
          onChange={(next) => setDraft({ day: next })}
          onPick={(next) => {
            if (next !== day) onChange(next);
            close(true);
          }}
          onSave={save}
          onCancel={() => close(true)}
        />
      )}
      {calendar !== undefined && (
        <Calendar
          open={calendar === "open"}
          onOpenChange={(open) => setCalendar(open ? "open" : "closed")}
          anchor={box}
          value={day}
          today={today}
          onPick={(next) => next !== day && onChange(next)}
        />
      )}
    </div>
  );
}

type FieldProps = Pick<ComponentProps<typeof DateInput>, "onFocus" | "onChange" | "onPick"> & {
  day: string | null;
  /** `refocus`: a key saved it, so the focus has to go somewhere. */
  onSave: (refocus: boolean) => void;
  onCancel: () => void;
};

function DueField({ day, onSave, onCancel, ...input }: FieldProps) {
  return (
    <Field label="Due" hideLabel>
      <DateInput
        {...input}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked to edit it
        autoFocus
        value={day}
        onBlur={() => onSave(false)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onSave(true);
          else if (event.key === "Escape") onCancel();
          else return;
          event.preventDefault();
        }}
      />
    </Field>
  );
}

function DueDay({ day, overdue }: { day: string | null; overdue: boolean }) {
  if (day === null) return <None>No due date</None>;
  return (
    <span className={overdue ? "text-warn" : ""}>
      <Day day={day} />
      {overdue && " · overdue"}
    </span>
  );
}

function CalendarButton({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  return (
    <IconButton
      size="sm"
      icon={CalendarDays}
      label="Choose from a calendar"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      className="absolute! end-0 top-0.5 opacity-0 group-hover/due:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:none)]:hidden"
      onClick={onOpen}
    />
  );
}

import { use, useState } from "react";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { MomentFields } from "../kit/dates/moment-fields.tsx";
import { TimeZoneContext } from "../kit/dates/time.tsx";
import { instantOfText, snoozeTimes, textOfInstant } from "../kit/dates/snooze-times.ts";

type Props = {
  open: boolean;
  /** "2 notifications". */
  what: string;
  onClose: () => void;
  onSnooze: (until: Date) => void;
};

/** Asks until when to snooze. */
export function SnoozeDialog({ open, what, onClose, onSnooze }: Props) {
  const timeZone = use(TimeZoneContext);
  const [now] = useState(() => new Date());
  const times = snoozeTimes(now, timeZone);
  const [text, setText] = useState(() => textOfInstant(times.at(-1)?.at ?? now, timeZone));
  const chosen = instantOfText(text, timeZone);
  const [error, setError] = useState<string>();
  const submit = () => {
    if (chosen === undefined) setError("Enter a date and a time.");
    else if (chosen.getTime() <= Date.now()) setError("Choose a time in the future.");
    else onSnooze(chosen);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={`Snooze ${what}`}
      description="Hidden until then, and unread again at that time."
      footer={
        <>
          <CancelButton />
          <Button variant="primary" type="submit" form="snooze">
            Snooze
          </Button>
        </>
      }
    >
      <SnoozeTimes times={times} timeZone={timeZone} onChoose={onSnooze} />
      <form
        id="snooze"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <MomentFields value={text} onChange={setText} error={error} />
      </form>
    </Dialog>
  );
}

type TimesProps = {
  times: ReturnType<typeof snoozeTimes>;
  timeZone: string;
  onChoose: (until: Date) => void;
};

function SnoozeTimes({ times, timeZone, onChoose }: TimesProps) {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (
    <ul className="-mx-2 mb-3 flex flex-col">
      {times.map(({ label, at }) => (
        <li key={label}>
          <button
            type="button"
            className="flex h-9 w-full items-center justify-between gap-3 rounded-md px-2 text-start hover:bg-hover"
            onClick={() => onChoose(at)}
          >
            <span className="font-medium">{label}</span>
            <span className="text-sm text-text-3">{format.format(at)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

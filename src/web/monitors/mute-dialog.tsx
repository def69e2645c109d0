import { use, useId, useState } from "react";
import { Button } from "../kit/button.tsx";
import { MomentFields } from "../kit/dates/moment-fields.tsx";
import { instantOfText, snoozeTimes, textOfInstant } from "../kit/dates/snooze-times.ts";
import { TimeZoneContext } from "../kit/dates/time.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";

type Props = { name: string; onClose: () => void; onMute: (until: Date) => void };

/** Asks until when a monitor is muted. */
export function MuteDialog({ name, onClose, onMute }: Props) {
  const form = useId();
  const timeZone = use(TimeZoneContext);
  const [text, setText] = useState(() => {
    const now = new Date();
    return textOfInstant(snoozeTimes(now, timeZone).at(-1)?.at ?? now, timeZone);
  });
  const [error, setError] = useState<string>();
  const submit = () => {
    const until = instantOfText(text, timeZone);
    if (until === undefined) setError("Enter a date and a time.");
    else if (until.getTime() <= Date.now()) setError("Choose a time in the future.");
    else onMute(until);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={`Mute ${name}`}
      description="Until then, failures are recorded, but cause no errors."
      footer={
        <>
          <CancelButton />
          <Button variant="primary" type="submit" form={form}>
            Mute
          </Button>
        </>
      }
    >
      <form
        id={form}
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

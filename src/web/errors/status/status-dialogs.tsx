import { type FormEvent, use, useId, useRef, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { CancelButton, Dialog } from "../../kit/dialog.tsx";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import { MomentFields } from "../../kit/dates/moment-fields.tsx";
import { snoozeTimes, textOfInstant } from "../../kit/dates/snooze-times.ts";
import { TimeZoneContext } from "../../kit/dates/time.tsx";
import { ReleaseSuggestions } from "./release-suggestions.tsx";
import { EMPTY_SNOOZE, readSnooze, type SnoozeText } from "./snooze-form.ts";
import type { Snooze } from "../../data/errors/snooze-text.ts";
import { IGNORED, RESOLVED, type StatusChange } from "../../data/errors/group-status.ts";
import type { StatusQuestion } from "./status-entries.ts";

export type StatusDialogProps = {
  question: StatusQuestion;
  /** "TimeoutError" or "3 errors". */
  what: string;
  /** The project of the errors; null if they belong to several. */
  projectId: number | null;
  onChange: (change: StatusChange) => void;
  onClose: () => void;
};

/** Asks in which release errors are resolved, or until when they are ignored. */
export function StatusDialog({ question, ...props }: StatusDialogProps) {
  return question.about === "release" ? (
    <ReleaseDialog {...props} />
  ) : (
    <SnoozeDialog {...props} field={question.field} />
  );
}

type Props = Omit<StatusDialogProps, "question">;

function ReleaseDialog({ what, projectId, onChange, onClose }: Props) {
  const form = useId();
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const resolve = (release: string) => {
    if (release.trim() === "") setError("Enter a release.");
    else onChange({ status: RESOLVED, in: { release: release.trim() } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={`Resolve ${what} in a release`}
      description="Events of this release and of newer ones reopen it; older ones do not."
      footer={
        <>
          <CancelButton />
          <Button variant="primary" type="submit" form={form}>
            Resolve
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          resolve(text);
        }}
      >
        <Field label="Release" hint="The release does not have to exist yet." error={error}>
          <Input
            value={text}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <ReleaseSuggestions projectId={projectId} text={text} onPick={resolve} />
      </form>
    </Dialog>
  );
}

function SnoozeDialog({ what, projectId, field, onChange, onClose }: Props & { field: keyof Snooze }) {
  const form = useId();
  const timeZone = use(TimeZoneContext);
  const first = useRef<HTMLInputElement>(null);
  const [text, setText] = useState<SnoozeText>(() => startWith(field, timeZone));
  const [errors, setErrors] = useState<{ [field in keyof Snooze]?: string }>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readSnooze(text, { timeZone, now: Date.now() });
    if ("errors" in read) setErrors(read.errors);
    else onChange({ status: IGNORED, until: read.until });
  };
  const input = (name: Exclude<keyof Snooze, "at">) => ({
    ref: name === field ? first : undefined,
    value: text[name],
    onChange: (event: { target: { value: string } }) => setText({ ...text, [name]: event.target.value }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={`Snooze ${what}`}
      description="Ignored until one of these happens; then it is open again and its watchers are notified."
      initialFocus={first}
      footer={
        <>
          <CancelButton />
          <Button variant="primary" type="submit" form={form}>
            Snooze
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-3">
        <MomentFields
          value={text.at}
          onChange={(at) => setText({ ...text, at })}
          error={errors.at}
          field={field === "at" ? first : undefined}
        />
        <div className="grid grid-cols-2 gap-3">
          <Field label="More events" error={errors.occurrences}>
            <Input inputMode="numeric" placeholder="100" {...input("occurrences")} />
          </Field>
          <Field label="More users" error={errors.users}>
            <Input inputMode="numeric" placeholder="10" {...input("users")} />
          </Field>
        </div>
        <div>
          <Field label="Release" hint="This release or a newer one." error={errors.release}>
            <Input maxLength={255} autoComplete="off" spellCheck={false} {...input("release")} />
          </Field>
          {(field === "release" || text.release !== "") && (
            <ReleaseSuggestions
              projectId={projectId}
              text={text.release}
              onPick={(release) => setText({ ...text, release })}
            />
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** A date that is asked for starts with the last of the times that menus offer. */
function startWith(field: keyof Snooze, timeZone: string): SnoozeText {
  const last = snoozeTimes(new Date(), timeZone).at(-1);
  return field === "at" && last ? { ...EMPTY_SNOOZE, at: textOfInstant(last.at, timeZone) } : EMPTY_SNOOZE;
}

import { useId } from "react";
import { Checkbox } from "../../kit/checkbox.tsx";
import { hasEvent, withEvent, withKind } from "./chosen-events.ts";
import { EVENT_KINDS } from "./event-names.ts";

type Props = { value: readonly string[]; onChange: (events: string[]) => void; error: string | undefined };

/** The events that a webhook receives: all, whole kinds, or single ones. */
export function EventFields({ value, onChange, error }: Props) {
  const id = useId();
  const isAll = value.includes("*");
  return (
    <fieldset
      className="flex flex-col gap-3"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className="mb-1 font-medium">Events</legend>
      <Checkbox
        label="All events"
        hint="Also those of later versions."
        checked={isAll}
        onChange={({ target }) => onChange(target.checked ? ["*"] : [])}
      />
      {!isAll && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-x-6 gap-y-4">
          {EVENT_KINDS.map((kind) => (
            <KindFields key={kind.kind} kind={kind} value={value} onChange={onChange} />
          ))}
        </div>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

type KindProps = { kind: (typeof EVENT_KINDS)[number] } & Omit<Props, "error">;

function KindFields({ kind, value, onChange }: KindProps) {
  const count = kind.events.filter((event) => hasEvent(value, event.value)).length;
  return (
    <div role="group" aria-label={kind.label} className="flex flex-col gap-1.5">
      <Checkbox
        label={<span className="font-medium">{kind.label}</span>}
        checked={count === kind.events.length}
        mixed={count > 0 && count < kind.events.length}
        onChange={({ target }) => onChange(withKind(value, kind, target.checked))}
      />
      <div className="flex flex-col gap-1 ps-6">
        {kind.events.map((event) => (
          <Checkbox
            key={event.value}
            label={event.label}
            checked={hasEvent(value, event.value)}
            onChange={({ target }) => onChange(withEvent(value, kind, event.value, target.checked))}
          />
        ))}
      </div>
    </div>
  );
}

import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Field } from "../../kit/field.tsx";
import { EstimateInput } from "../../marks/estimate-input.tsx";
import { ESTIMATE_ERROR, estimateText, parseEstimate } from "../../marks/estimate.ts";
import { None, railButton } from "./property.tsx";

type Props = { minutes: number | null; editable: boolean; onChange: (minutes: number | null) => void };

/** The estimate, entered as "1h 30m". Enter or leaving the field saves, Esc cancels. */
export function EstimateProperty({ minutes, editable, onChange }: Props) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<string>();
  const container = useRef<HTMLDivElement>(null);
  /** Unmounting the field fires another blur, which must not save again. */
  const isOpen = useRef(false);
  const shown = minutes === null ? undefined : estimateText(minutes);
  if (!editable) return shown ?? <None>No estimate</None>;

  const closed = () => {
    setText(undefined);
    setError(undefined);
  };
  const close = (refocus: boolean) => {
    isOpen.current = false;
    if (!refocus) return closed();
    flushSync(closed);
    container.current?.querySelector("button")?.focus();
  };
  const save = (refocus: boolean) => {
    if (!isOpen.current) return;
    const read = parseEstimate(text ?? "");
    if (read === undefined) return setError(ESTIMATE_ERROR);
    if (read !== minutes) onChange(read);
    close(refocus);
  };
  return (
    <div ref={container} className="min-w-0 flex-1">
      {text === undefined ? (
        railButton("Estimate", shown ?? <None>No estimate</None>, { onClick: () => setText(shown ?? "") })
      ) : (
        <Field label="Estimate" hideLabel error={error}>
          <EstimateInput
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked to edit it
            autoFocus
            value={text}
            onFocus={(event) => {
              isOpen.current = true;
              event.target.select();
            }}
            onChange={(event) => setText(event.target.value)}
            onBlur={() => save(false)}
            onKeyDown={(event) => {
              if (event.key === "Enter") save(true);
              else if (event.key === "Escape") close(true);
              else return;
              event.preventDefault();
            }}
          />
        </Field>
      )}
    </div>
  );
}

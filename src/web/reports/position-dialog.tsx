import { useState } from "react";
import type { Report } from "../../shared/reports.ts";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = {
  report: Report;
  /** From 1. */
  position: number;
  count: number;
  onClose: () => void;
  onMove: (position: number) => void;
};

/** Moves a report to a position by number. */
export function PositionDialog({ report, position, count, onClose, onMove }: Props) {
  const [text, setText] = useState(String(position));
  const [submitted, setSubmitted] = useState(false);
  const number = Number(text);
  const valid = /^\d+$/.test(text.trim()) && number >= 1 && number <= count;
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title="Move to position"
      description={<span className="line-clamp-2">{report.title}</span>}
      footer={
        <>
          <CancelButton />
          <Button variant="primary" type="submit" form="move-report" shortcut="mod+Enter">
            Move
          </Button>
        </>
      }
    >
      <form
        id="move-report"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (valid) onMove(number);
          else setSubmitted(true);
        }}
      >
        <Field
          label="Position"
          hint={`1 is the top, ${count} is the bottom.`}
          error={submitted && !valid ? `Enter a number from 1 to ${count}.` : undefined}
        >
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={count}
            value={text}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}

import { CopyButton } from "../../ui/copy-button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

/** A secret that no later page shows: to copy now. */
export function ShownOnce({
  label,
  value,
  hint,
  copy,
}: {
  label: string;
  value: string;
  hint: string;
  copy: string;
}) {
  return (
    <div className="flex items-start gap-2">
      <Field label={label} hint={hint} className="flex-1">
        <Input
          readOnly
          value={value}
          className="font-mono text-sm"
          onFocus={(event) => event.target.select()}
        />
      </Field>
      <span className="pt-6.5">
        <CopyButton label={copy} text={value} words />
      </span>
    </div>
  );
}

import { CopyButton } from "../kit/copy-button.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = {
  label: string;
  value: string;
  /** The copy button's label: "Copy token". */
  copy: string;
  hint?: string;
};

/** A value that cannot be changed, to be copied. */
export function CopyField({ label, value, copy, hint }: Props) {
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

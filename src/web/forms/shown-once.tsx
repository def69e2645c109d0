import { Button } from "../kit/button.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = {
  title: string;
  description: string;
  label: string;
  value: string;
  /** The copy button's label: "Copy token". */
  copy: string;
  hint: string;
  onClose: () => void;
};

/** Shows a secret once, to be copied now. */
export function ShownOnce({ title, description, label, value, copy, hint, onClose }: Props) {
  return (
    <Dialog
      open
      once
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
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
    </Dialog>
  );
}

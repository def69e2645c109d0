import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { CopyField } from "./copy-field.tsx";

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
      <CopyField label={label} value={value} copy={copy} hint={hint} />
    </Dialog>
  );
}

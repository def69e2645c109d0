import { Combobox } from "./combobox.tsx";
import { cx } from "./cx.ts";

type Option = { value: string; label: string };

type Props = {
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  /** Needed when there is no `Field` around it. */
  label?: string;
  className?: string;
};

/** A picker of which one option is always chosen. */
export function Select({ options, value, onChange, label, className }: Props) {
  return (
    <span className={cx("block min-w-0", className)}>
      <Combobox
        {...(label !== undefined && { label })}
        choices={options}
        value={value}
        onChange={(next) => next !== null && onChange(next)}
      />
    </span>
  );
}

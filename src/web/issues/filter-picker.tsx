import { ChevronDown } from "lucide-react";
import type { Choice } from "../kit/choice.ts";
import { MultiCombobox } from "../kit/combobox.tsx";
import { cx } from "../kit/cx.ts";
import { textOf, valuesOf } from "./issue-filters.ts";

type Props = {
  label: string;
  choices: readonly Choice<string>[];
  /** As in the address: comma-separated. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** One filter, labeled with its name and value. */
export function FilterPicker({ label, choices, value, onChange }: Props) {
  const values = valuesOf(value);
  const first = choices.find((choice) => values.includes(choice.value));
  const text = first && (values.length === 1 ? first.label : `${first.label} +${values.length - 1}`);
  const on = values.length > 0;
  return (
    <MultiCombobox
      label={label}
      choices={choices}
      value={values}
      onChange={(next) => onChange(textOf(next))}
      trigger={
        <button
          type="button"
          className={cx(
            "flex h-7 max-w-56 shrink-0 items-center gap-1 rounded-md border px-2 text-sm whitespace-nowrap",
            on
              ? "border-accent bg-accent-tint font-medium text-accent-text"
              : "border-line text-text-2 hover:border-line-strong hover:bg-hover",
          )}
        >
          <span className="truncate">
            {label}
            {on && `: ${text ?? values.length}`}
          </span>
          <ChevronDown aria-hidden size={12} className="shrink-0" />
        </button>
      }
    />
  );
}

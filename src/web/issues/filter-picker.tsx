import type { Choice } from "../kit/choice.ts";
import { MultiCombobox } from "../kit/combobox.tsx";
import { FilterTrigger, type PickerOpening } from "../kit/filter-select.tsx";
import { textOf, valuesOf } from "./issue-filters.ts";

type Props = PickerOpening & {
  label: string;
  choices: readonly Choice<string>[];
  /** As in the address: comma-separated. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** One filter, labeled with its name and value. */
export function FilterPicker({ label, choices, value, onChange, ...opening }: Props) {
  const values = valuesOf(value);
  const first = choices.find((choice) => values.includes(choice.value));
  const text = first && (values.length === 1 ? first.label : `${first.label} +${values.length - 1}`);
  const on = values.length > 0;
  return (
    <MultiCombobox
      {...opening}
      label={label}
      choices={choices}
      value={values}
      onChange={(next) => onChange(textOf(next))}
      trigger={
        <FilterTrigger isOn={on}>
          {label}
          {on && `: ${text ?? values.length}`}
        </FilterTrigger>
      }
    />
  );
}

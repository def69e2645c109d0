import type { Choice } from "../kit/choice.ts";
import { MultiCombobox } from "../kit/combobox.tsx";
import type { RowFilter } from "../kit/filter-row.tsx";
import { FilterTrigger, type PickerOpening } from "../kit/filter-select.tsx";
import { textOf, valuesOf } from "./issue-filters.ts";

type Props = {
  label: string;
  choices: readonly Choice<string>[];
  /** As in the address: comma-separated. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** A filter of a `FilterRow`: several choices. */
export const pickFilter = ({ name, ...picker }: Props & { name: string }): RowFilter => ({
  name,
  label: picker.label,
  isOn: Boolean(picker.value),
  renderPicker: (opening) => <FilterPicker {...opening} {...picker} />,
});

/** One filter, labeled with its name and value. */
function FilterPicker({ label, choices, value, onChange, ...opening }: Props & PickerOpening) {
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

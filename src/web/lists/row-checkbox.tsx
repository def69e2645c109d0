import { Checkbox } from "../kit/checkbox.tsx";

type Props = {
  /** What the row is called. */
  name: string;
  tabIndex: 0 | -1;
  selected: boolean;
  /** `range` is true with Shift: all rows from the one toggled last. */
  onToggle: (range: boolean) => void;
};

/** Selects a row. */
export function RowCheckbox({ name, tabIndex, selected, onToggle }: Props) {
  return (
    <Checkbox
      label={`Select ${name}`}
      hideLabel
      tabIndex={tabIndex}
      checked={selected}
      onChange={(event) => onToggle((event.nativeEvent as PointerEvent).shiftKey)}
    />
  );
}

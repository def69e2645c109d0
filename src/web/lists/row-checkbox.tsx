import { Checkbox } from "../kit/checkbox.tsx";

type Props = {
  /** What the row is called. */
  name: string;
  /** The id of text that tells apart rows with the same name. */
  describedBy?: string;
  tabIndex: 0 | -1;
  selected: boolean;
  /** `range` is true with Shift: all rows from the one toggled last. */
  onToggle: (range: boolean) => void;
};

/** Selects a row. */
export function RowCheckbox({ name, describedBy, tabIndex, selected, onToggle }: Props) {
  return (
    <Checkbox
      label={`Select ${name}`}
      hideLabel
      // On a touch screen, its tap target reaches to the edge of the row and is as high as a row.
      className="relative pointer-coarse:before:absolute pointer-coarse:before:-start-4 pointer-coarse:before:-end-1.5 pointer-coarse:before:inset-y-[calc((100%-var(--row-1))/2)]"
      aria-describedby={describedBy}
      tabIndex={tabIndex}
      checked={selected}
      onChange={(event) => onToggle((event.nativeEvent as PointerEvent).shiftKey)}
    />
  );
}

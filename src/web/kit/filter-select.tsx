import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import type { Choice } from "./choice.ts";
import { Combobox } from "./combobox.tsx";
import { cx } from "./cx.ts";

/** Opens a picker from elsewhere, such as a menu. */
export type PickerOpening = {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Where the picker opens and the focus returns to, if not at its button. */
  anchor?: HTMLElement | null;
};

export type SelectProps = {
  label: string;
  choices: readonly Choice<string>[];
  /** `""` for none. */
  value: string;
  onChange: (value: string) => void;
  /** The label of the empty choice: "All releases". Without it, one choice is always in effect, such as an order. */
  none?: string;
};

/** A filter or an order in a row of tools: one of several choices. */
export function FilterSelect({
  label,
  choices,
  value,
  onChange,
  none,
  ...opening
}: SelectProps & PickerOpening) {
  const chosen = choices.find((choice) => choice.value === value);
  const isOn = none !== undefined && value !== "";
  return (
    <Combobox
      {...opening}
      label={label}
      choices={choices}
      value={value === "" ? null : value}
      {...(none === undefined ? {} : { none })}
      onChange={(next) => onChange(next ?? "")}
      trigger={
        <FilterTrigger isOn={isOn}>
          {none === undefined ? (
            <>
              <span className="sr-only">{label}: </span>
              {chosen?.label}
            </>
          ) : (
            <>
              {label}
              {isOn && `: ${chosen?.label ?? value}`}
            </>
          )}
        </FilterTrigger>
      }
    />
  );
}

/** The button of a filter, 28 px high; tinted while the filter is in effect. */
export function FilterTrigger({ isOn, children, ...rest }: ComponentProps<"button"> & { isOn: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        "button flex h-7 max-w-56 shrink-0 items-center gap-1 rounded-md border px-2 text-sm whitespace-nowrap",
        isOn
          ? "border-accent bg-accent-tint font-medium text-accent-text"
          : "border-transparent text-text-2 hover:bg-hover hover:text-text",
      )}
    >
      <span dir="auto" className="truncate">
        {children}
      </span>
      <ChevronDown aria-hidden size={12} className="shrink-0" />
    </button>
  );
}

import { type KeyboardEvent, type ReactElement, type ReactNode, cloneElement, useId, useState } from "react";
import { ChevronsUpDown } from "lucide-react";
import type { Choice } from "./choice.ts";
import { cx } from "./cx.ts";
import { CONTROL, useFieldControl, useFieldLabel } from "./field.tsx";
import { IconSlot } from "./icon.tsx";
import { lazyPart } from "./lazy-part.tsx";
// Imported here, so that it tracks input before the popup has loaded.
import "./last-input.ts";
import { LazyPopup } from "./lazy-popup.tsx";
import { useOpen } from "./use-open.ts";

type Shared<V extends string | number> = {
  choices: readonly Choice<V>[];
  /** Needed when there is no `Field` around it. */
  label?: string;
  placeholder?: string;
  /** For server-side search: called with the typed query; pass the matching `choices`. */
  onSearch?: (query: string) => void;
  /** A search is in flight. */
  busy?: boolean;
  disabled?: boolean;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Where the popup opens and the focus returns to, if not at the button. */
  anchor?: HTMLElement | null;
  /** Replaces the default button. Must accept a ref and `onClick`. */
  trigger?: ReactElement<Record<string, unknown>>;
};

export type ComboboxProps<V extends string | number> = Shared<V> & {
  /** undefined if the items being edited have different values. */
  value: V | null | undefined;
  onChange: (value: V | null) => void;
  /** The label of the empty option, such as "Nobody". Without it, a value cannot be cleared. */
  none?: string;
};

export type MultiComboboxProps<V extends string | number> = Shared<V> & {
  value: readonly V[];
  onChange: (value: V[]) => void;
  /** Offers to create what was typed when no choice has that label. */
  onCreate?: (name: string) => void;
};

const ComboboxPopup = lazyPart(async () => (await import("./combobox-popup.tsx")).ComboboxPopup);

/** Loads the code of pickers; called when one is hovered or focused. */
export const preloadCombobox = () => void ComboboxPopup.preload().catch(() => {});

/** Selects one of many options, with search. Opens by click, arrow key or `open`. */
export function Combobox<V extends string | number>({ value, onChange, none, ...shared }: ComboboxProps<V>) {
  const chosen = shared.choices.find((choice) => choice.value === value);
  const pick = (values: (string | number)[]) => onChange((values[0] as V | undefined) ?? null);
  return (
    <Picker
      {...shared}
      multiple={false}
      mixed={value === undefined}
      none={none}
      values={chosen === undefined ? [] : [chosen.value]}
      onPick={pick}
    >
      {chosen !== undefined ? (
        <Chosen choice={chosen} />
      ) : (
        <span className="text-text-3">{none ?? shared.placeholder ?? "Choose"}</span>
      )}
    </Picker>
  );
}

/** Selects several of many options, with search. Stays open while selecting. */
export function MultiCombobox<V extends string | number>({
  value,
  onChange,
  ...shared
}: MultiComboboxProps<V>) {
  const chosen = shared.choices.filter((choice) => value.includes(choice.value));
  return (
    <Picker
      {...shared}
      multiple
      mixed={false}
      none={undefined}
      values={[...value]}
      onPick={(values) => onChange(values as V[])}
    >
      {chosen.length === 0 ? (
        <span className="text-text-3">{shared.placeholder ?? "None"}</span>
      ) : (
        <span className="flex min-w-0 flex-wrap gap-x-3 gap-y-1 py-1">
          {chosen.map((choice) => (
            <Chosen key={choice.value} choice={choice} />
          ))}
        </span>
      )}
    </Picker>
  );
}

type PickerProps = Shared<string | number> & {
  onCreate?: (name: string) => void;
  multiple: boolean;
  mixed: boolean;
  none: string | undefined;
  values: (string | number)[];
  onPick: (values: (string | number)[]) => void;
  children: ReactNode;
};

function Picker({
  multiple,
  mixed,
  none,
  values,
  onPick,
  children,
  trigger,
  label,
  open,
  onOpenChange,
  anchor,
  disabled = false,
  ...rest
}: PickerProps) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  const valueId = useId();
  const { id = valueId, ...control } = useFieldControl();
  const fieldLabel = useFieldLabel();
  const [isOpen, setOpen, wasOpened] = useOpen(open, onOpenChange);

  const wiring = {
    ref: setButton,
    "aria-haspopup": "dialog",
    "aria-expanded": isOpen,
    disabled,
    onPointerEnter: preloadCombobox,
    onFocus: preloadCombobox,
    onClick: () => setOpen(!isOpen),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setOpen(true);
    },
  };
  return (
    <>
      {trigger !== undefined ? (
        cloneElement(trigger, wiring)
      ) : (
        <button
          type="button"
          id={id}
          aria-describedby={control["aria-describedby"]}
          aria-labelledby={fieldLabel === undefined ? undefined : `${fieldLabel} ${valueId}-value`}
          {...wiring}
          aria-haspopup="dialog"
          className={cx(
            CONTROL,
            "flex min-h-8 items-center gap-2 text-start",
            control["aria-invalid"] && "border-danger",
          )}
        >
          {fieldLabel === undefined && label !== undefined && <span className="sr-only">{label}: </span>}
          <span id={`${valueId}-value`} className="min-w-0 flex-1 truncate">
            {children}
          </span>
          <ChevronsUpDown size={14} className="shrink-0 text-text-3" />
        </button>
      )}
      {wasOpened && (
        <LazyPopup open={isOpen} onCancel={() => setOpen(false)}>
          <ComboboxPopup
            {...rest}
            label={label ?? rest.placeholder ?? "Choose"}
            labelledBy={fieldLabel}
            none={none}
            multiple={multiple}
            mixed={mixed}
            values={values}
            onPick={onPick}
            open={isOpen}
            onOpenChange={setOpen}
            anchor={anchor ?? button}
          />
        </LazyPopup>
      )}
    </>
  );
}

function Chosen({ choice }: { choice: Choice<string | number> }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <IconSlot icon={choice.icon} />
      <span className="truncate">{choice.label}</span>
    </span>
  );
}

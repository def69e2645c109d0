import { cx } from "../../kit/cx.ts";

type Props<Mode extends string> = {
  /** What the modes are of. */
  label: string;
  modes: readonly { value: Mode; label: string }[];
  value: Mode;
  onChange: (mode: Mode) => void;
};

/** Buttons that choose between a few ways to show the same thing. */
export function ModeButtons<Mode extends string>({ label, modes, value, onChange }: Props<Mode>) {
  return (
    <div
      role="group"
      aria-label={label}
      data-no-print
      className="flex rounded-md border border-line-strong text-sm text-text-2"
    >
      {modes.map((mode) => (
        <button
          key={mode.value}
          type="button"
          aria-pressed={mode.value === value}
          className={cx(
            "button min-h-6 px-2 font-medium first:rounded-s-[5px] last:rounded-e-[5px]",
            mode.value === value ? "bg-accent text-on-accent" : "bg-surface hover:bg-hover",
          )}
          onClick={() => onChange(mode.value)}
        >
          {mode.label}
        </button>
      ))}
    </div>
  );
}

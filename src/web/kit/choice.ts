import type { Icon } from "./icon.tsx";

/** One of what a combobox offers. */
export type Choice<V extends string | number> = {
  value: V;
  label: string;
  /** Beside the label, and searched too: a username, a key. */
  hint?: string | undefined;
  icon?: Icon | undefined;
  disabled?: boolean | undefined;
};

import type { Icon } from "./icon.tsx";

/** An option of a combobox. */
export type Choice<V extends string | number> = {
  value: V;
  label: string;
  /** Shown beside the label and searched as well, such as a username or a key. */
  hint?: string | undefined;
  icon?: Icon | undefined;
  disabled?: boolean | undefined;
};

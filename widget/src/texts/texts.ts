import type { en } from "./en.ts";

/** All texts of the widget, by the keys that pages use in `texts`. */
export type Texts = Record<keyof typeof en, string>;

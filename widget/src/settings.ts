import type { Texts } from "./texts/texts.ts";

export const KINDS = ["bug", "idea", "question"] as const;
export type Kind = (typeof KINDS)[number];

const POSITIONS = ["bottom-right", "bottom-left", "top-right", "top-left"] as const;
const THEMES = ["system", "light", "dark"] as const;
const MODES = ["optional", "off", "required"] as const;

/** How the form treats the name or the email address. */
export type FieldMode = (typeof MODES)[number];

export type Settings = {
  key: string;
  /** The button's text; undefined for that of the language. */
  text: string | undefined;
  /** `#rrggbb` */
  color: string | undefined;
  position: (typeof POSITIONS)[number];
  theme: (typeof THEMES)[number];
  language: string;
  /** What the visitor chooses from; empty if the form does not ask. */
  kinds: Kind[];
  name: FieldMode;
  email: FieldMode;
  /** CSS selector of elements that open the form. */
  trigger: string | undefined;
  release: string | undefined;
  texts: Partial<Texts>;
};

type Raw = Record<string, unknown>;

/** Reads the settings of a page. Attributes win over options, and the default replaces what is not valid. */
export function readSettings(attributes: Raw, options: unknown): Settings {
  const raw: Raw = { ...asObject(options), ...attributes };
  const kinds = text(raw["kinds"])?.split(/[\s,]+/);
  const color = text(raw["color"]);
  return {
    key: text(raw["key"]) ?? "",
    text: text(raw["text"]),
    color: color !== undefined && /^#[\da-f]{6}$/i.test(color) ? color : undefined,
    position: oneOf(POSITIONS, raw["position"]),
    theme: oneOf(THEMES, raw["theme"]),
    language: text(raw["language"])?.toLowerCase() ?? "en",
    kinds: KINDS.filter((kind) => kinds?.includes(kind)),
    name: oneOf(MODES, raw["name"]),
    email: oneOf(MODES, raw["email"]),
    trigger: selector(raw["trigger"]),
    release: text(raw["release"]),
    texts: onlyTexts(asObject(options)["texts"]),
  };
}

/** Undefined if it is no text or blank. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

export function onlyTexts(value: unknown): Record<string, string> {
  const entries = Object.entries(asObject(value));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

export function asObject(value: unknown): Raw {
  return typeof value === "object" && value !== null ? (value as Raw) : {};
}

function oneOf<Value extends string>(values: readonly [Value, ...Value[]], value: unknown): Value {
  return values.find((known) => known === value) ?? values[0];
}

function selector(value: unknown): string | undefined {
  const trigger = text(value);
  if (trigger === undefined) return undefined;
  try {
    document.querySelector(trigger);
    return trigger;
  } catch {
    return undefined;
  }
}

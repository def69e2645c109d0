import { h } from "../dom.ts";

export type Field = {
  element: HTMLElement;
  /** The name in the API. */
  name: string;
  /** Trimmed. */
  value(): string;
  fill(value: string): void;
  /** Shows a message at the field; undefined removes it. */
  setError(message: string | undefined): void;
  focus(): void;
};

type FieldOptions = {
  name: string;
  label: string;
  /** Beside the label, such as "optional". */
  note?: string | undefined;
  hint?: string | undefined;
  isRequired?: boolean;
  attributes?: Record<string, string | number>;
};

/** A label with an input or, with `rows` among its attributes, a text area. */
export function createField({ name, label, note, hint, isRequired, attributes }: FieldOptions): Field {
  const hintId = hint === undefined ? undefined : `${name}-hint`;
  const errorId = `${name}-error`;
  const input = h(attributes && "rows" in attributes ? "textarea" : "input", {
    id: name,
    name,
    dir: "auto",
    "aria-required": isRequired === true ? "true" : undefined,
    "aria-describedby": hintId,
    ...attributes,
  });
  const error = h("p", { id: errorId, class: "error" });
  const element = h(
    "div",
    { class: "field" },
    h("label", { for: name }, label, note === undefined ? undefined : h("span", {}, ` (${note})`)),
    input,
    hint === undefined ? undefined : h("p", { id: hintId, class: "hint" }, hint),
    error,
  );
  return {
    element,
    name,
    value: () => input.value.trim(),
    fill: (value) => void (input.value = value),
    setError: (message) => describeError(input, error, { message, hintId }),
    focus: () => input.focus(),
  };
}

type Choice = { value: string; label: string };

/** A choice of one among a few. */
export function createChoice({
  name,
  label,
  choices,
}: {
  name: string;
  label: string;
  choices: Choice[];
}): Field {
  const error = h("p", { id: `${name}-error`, class: "error" });
  const inputs = choices.map(({ value }) => h("input", { type: "radio", name, value }));
  const group = h(
    "div",
    { role: "radiogroup", "aria-labelledby": `${name}-label`, "aria-required": "true", class: "choices" },
    ...inputs.map((input, at) => h("label", {}, input, h("span", {}, choices[at]?.label))),
  );
  const chosen = () => inputs.find((input) => input.checked);
  return {
    element: h(
      "div",
      { class: "field" },
      h("p", { id: `${name}-label`, class: "label" }, label),
      group,
      error,
    ),
    name,
    value: () => chosen()?.value ?? "",
    fill: (value) => inputs.forEach((input) => (input.checked = input.value === value)),
    setError: (message) => describeError(group, error, { message }),
    focus: () => (chosen() ?? inputs[0])?.focus(),
  };
}

function describeError(
  control: HTMLElement,
  error: HTMLElement,
  { message, hintId }: { message: string | undefined; hintId?: string | undefined },
) {
  error.textContent = message ?? "";
  const described = [hintId, message === undefined ? undefined : error.id].filter((id) => id !== undefined);
  toggle(control, "aria-invalid", message === undefined ? undefined : "true");
  toggle(control, "aria-describedby", described.length > 0 ? described.join(" ") : undefined);
}

function toggle(element: Element, name: string, value: string | undefined) {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

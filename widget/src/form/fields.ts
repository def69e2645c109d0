import { h } from "../dom.ts";
import { isEmail, type Prefill } from "../prefill.ts";
import type { FieldMode, Settings } from "../settings.ts";
import type { Texts } from "../texts/texts.ts";
import { createChoice, createField, type Field } from "./field.ts";
import type { Feedback } from "./send.ts";

/** What the visitor enters, in the names of the API. */
type Values = Pick<Feedback, "title" | "description" | "author_name" | "author_email" | "kind">;

export type Fields = {
  elements: HTMLElement[];
  values(): Values;
  /** Fields that are off keep what they are filled with, too. */
  prefill(values: Prefill): void;
  /** Shows what is missing or wrong, and focuses the first such field. Returns whether all fields are right. */
  check(): boolean;
  /** Shows the server's messages, and returns those that belong to no field. */
  showErrors(errors: Record<string, string[]>): string[];
  /** Removes the report's text. The name and the address remain. */
  clear(): void;
  focusFirst(): void;
};

export function createFields(settings: Settings, texts: Texts): Fields {
  const { kind, title, description, name, email } = fieldsOf(settings, texts);
  const people = [settings.name === "off" ? [] : [name], settings.email === "off" ? [] : [email]].flat();
  const shown = [settings.kinds.length > 0 ? [kind] : [], title, description, people].flat();
  const required = new Map<Field, string>([
    [kind, texts.missingKind],
    [description, missing(texts, texts.description)],
  ]);
  if (settings.name === "required") required.set(name, missing(texts, texts.name));
  if (settings.email === "required") required.set(email, missing(texts, texts.email));

  function problem(field: Field): string | undefined {
    const value = field.value();
    if (value === "") return required.get(field);
    return field === email && !isEmail(value) ? texts.invalidEmail : undefined;
  }

  /** Focuses the first field with a message. */
  function show(messages: (string | undefined)[]): boolean {
    shown.forEach((field, at) => field.setError(messages[at]));
    const first = shown.find((_, at) => messages[at] !== undefined);
    first?.focus();
    return first === undefined;
  }

  return {
    elements: [
      ...shown.filter((field) => !people.includes(field)).map(({ element }) => element),
      ...(people.length > 0 ? [h("div", { class: "row" }, ...people.map(({ element }) => element))] : []),
    ],
    values: () =>
      Object.fromEntries(
        [kind, title, description, name, email]
          .map((field) => [field.name, field.value()])
          .filter(([, value]) => value !== ""),
      ) as Values,
    prefill(values) {
      if (values.name !== undefined) name.fill(values.name);
      if (values.email !== undefined) email.fill(values.email);
    },
    check: () => show(shown.map(problem)),
    showErrors(errors) {
      show(
        shown.map((field) => errors[field.name]?.map((message) => `${label(field)} ${message}.`).join(" ")),
      );
      const names = new Set(shown.map((field) => field.name));
      return Object.entries(errors)
        .filter(([name]) => !names.has(name))
        .map(([name, messages]) => `${name} ${messages.join(", ")}.`);
    },
    clear: () => [kind, title, description].forEach((field) => field.fill("")),
    focusFirst: () => shown[0]?.focus(),
  };

  function label(field: Field): string {
    return (
      { title: texts.title, description: texts.description, author_name: texts.name }[field.name] ??
      texts.email
    );
  }
}

function fieldsOf(settings: Settings, texts: Texts) {
  const note = (mode: FieldMode) => (mode === "required" ? undefined : texts.optional);
  const line = { type: "text", maxlength: 255 };
  const kind = createChoice({
    name: "kind",
    label: texts.kind,
    choices: settings.kinds.map((value) => ({ value, label: texts[value] })),
  });
  const title = createField({ name: "title", label: texts.title, note: texts.optional, attributes: line });
  const description = createField({
    name: "description",
    label: texts.description,
    isRequired: true,
    attributes: { rows: 5, maxlength: 65_535 },
  });
  const name = createField({
    name: "author_name",
    label: texts.name,
    note: note(settings.name),
    isRequired: settings.name === "required",
    attributes: { ...line, autocomplete: "name" },
  });
  const email = createField({
    name: "author_email",
    label: texts.email,
    note: note(settings.email),
    hint: texts.emailHint,
    isRequired: settings.email === "required",
    attributes: { type: "email", maxlength: 254, autocomplete: "email" },
  });
  return { kind, title, description, name, email };
}

const missing = (texts: Texts, field: string) => texts.missing.replace("{field}", field);

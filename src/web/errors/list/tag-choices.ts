import type { ErrorTags } from "../../../shared/kept-events.ts";
import { countOf } from "../../kit/count-text.ts";
import type { Choice } from "../../kit/choice.ts";
import { isTag } from "../view.ts";

type Picking = {
  /** What is typed to find a key or a value. */
  text: string;
  /** The key whose values are offered. */
  key: string | undefined;
  /** The tag of the filter; "" for none. */
  value: string;
};

/** Keys to choose from, or the values of a key; a tag that is typed in full is always among them. */
export function tagChoices(tags: ErrorTags, { text, key, value }: Picking): Choice<string>[] {
  const fits = (words: string) => words.toLowerCase().includes(text.toLowerCase());
  const valuesOf = (of: ErrorTags[number], labelOf: (tag: string, value: string) => string) =>
    of.values.map((one) => ({
      value: `${of.key}:${one.value}`,
      label: labelOf(`${of.key}:${one.value}`, one.value),
      hint: countOf(one.error_groups, "error"),
    }));
  const withTyped = (choices: Choice<string>[], typed: string): Choice<string>[] =>
    !isTag(typed) || choices.some((choice) => choice.value === typed)
      ? choices
      : [...choices, { value: typed, label: typed }];
  if (key !== undefined) {
    const of = tags.find((tag) => tag.key === key);
    const found = of ? valuesOf(of, (_, label) => label).filter(({ label }) => fits(label)) : [];
    return text === "" ? found : withTyped(found, `${key}:${text}`);
  }
  if (text.includes(":")) {
    const found = tags.flatMap((of) => valuesOf(of, (tag) => tag)).filter((choice) => fits(choice.value));
    return withTyped(found, text);
  }
  const keys = tags
    .filter((tag) => fits(tag.key))
    .map((tag) => ({
      value: keyChoice(tag.key),
      label: tag.key,
      hint: tag.values.map((one) => one.value).join(", "),
    }));
  const current = value === "" || text !== "" ? [] : [{ value, label: value }];
  if (text !== "" && keys.length === 0)
    return [{ value: text, label: text, hint: "Type key:value", disabled: true }];
  return [...current, ...keys];
}

/** A key as a choice ends with a colon, which no tag with a value does. */
const keyChoice = (key: string) => `${key}:`;

export const isKeyChoice = (value: string) => value.endsWith(":");

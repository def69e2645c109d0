import { escapeHtml } from "../../answers/escape-html.ts";

/** HTML that is safe to send. Only `html` creates it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Html[];

/** Escapes everything that is inserted, except other HTML. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, n) => text + textOf(parts[n])).join(""));
}

function textOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return escapeHtml(String(part));
}

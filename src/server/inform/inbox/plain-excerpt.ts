import MarkdownIt from "markdown-it";
import { cutCodePoints, exceedsCodePoints } from "../../../shared/text.ts";

const markdown = new MarkdownIt({ html: true });

/** In code points. */
const MAX_LENGTH = 200;

/** The beginning of a Markdown text in one line, without its syntax and without HTML. */
export function plainExcerpt(text: string): string {
  const words = markdown
    .parse(text, {})
    .map(({ type, content, children }) => {
      if (type === "fence" || type === "code_block") return content;
      return children?.map(textOf).join("") ?? "";
    })
    .filter((part) => part !== "")
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return exceedsCodePoints(words, MAX_LENGTH) ? `${cutCodePoints(words, MAX_LENGTH - 1).trimEnd()}…` : words;
}

function textOf({ type, content }: { type: string; content: string }): string {
  if (type === "softbreak" || type === "hardbreak") return " ";
  // An image's content is its alternative text.
  return type === "text" || type === "code_inline" || type === "image" ? content : "";
}

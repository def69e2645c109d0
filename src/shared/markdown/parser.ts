import MarkdownIt, { type Env, type Token } from "markdown-it";
import { dropUnsafeTargets } from "./safe-targets.ts";
import { bareUrl } from "./bare-urls.ts";
import { splitReferences } from "./references.ts";
import { markTasks } from "./task-items.ts";

/** Longer text is truncated. This is the limit of a description. */
export const MAX_PARSED_LENGTH = 65_535;

/**
 * The parser for everything that people write: GitHub-flavored Markdown. Recognizes HTML, so that it can be shown as text and its
 * content mentions nobody. See docs/decisions/0008-one-markdown-parser.md for the choice of parser.
 */
export const markdown = new MarkdownIt({ html: true, linkify: false, breaks: true });

// Every link is parsed as one, so that its title mentions nobody. Unsafe targets are dropped afterwards.
markdown.validateLink = () => true;
markdown.inline.ruler.before("linkify", "bare_url", bareUrl);
markdown.core.ruler.push("safe_targets", ({ tokens }) => dropUnsafeTargets(tokens));
markdown.core.ruler.push("tasks", ({ tokens }) => markTasks(tokens));
markdown.core.ruler.push("references", ({ tokens }) => splitReferences(tokens));

/** The tokens of a text. Takes linear time for any text. */
export function parseMarkdown(text: string, env: Env = {}): Token[] {
  return markdown.parse(text.length > MAX_PARSED_LENGTH ? text.slice(0, MAX_PARSED_LENGTH) : text, env);
}

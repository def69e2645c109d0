/**
 * Converts HTML of an editor to Markdown: headings, paragraphs, emphasis, code, lists, tasks, quotes, links, tables and rules. Other
 * elements are reduced to their text; scripts and styles disappear. Takes linear time, and reads at most a million characters.
 * `nameOf` gives the names of the people who are mentioned by an id.
 */
export function htmlToMarkdown(html: string, nameOf: NameOf = () => undefined): string {
  const writer = new Writer(nameOf);
  for (const [, tag, text] of withoutComments(html.slice(0, MAX_LENGTH)).matchAll(TOKENS)) {
    if (text !== undefined) writer.text(decodeEntities(text));
    else if (tag !== undefined) writer.tag(tag);
  }
  return writer.finish();
}

type NameOf = (id: string) => string | null | undefined;

const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 50;

// A `<` that begins no tag is text. The limit keeps the search for attributes short.
const TOKENS = /<![^<>]*>|(<\/?[a-zA-Z][^<>]{0,4096}>)|([^<]+|<)/g;
const TAG = /^<(\/?)([a-zA-Z][\w-]*)([\s\S]*?)\/?>$/;
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** A regular expression would search for the end again at each start. */
const withoutComments = (html: string): string =>
  html
    .split("<!--")
    .map((part, n) => (n === 0 ? part : part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : ""))
    .join("");

const MARKS: Readonly<Record<string, string>> = {
  b: "**",
  strong: "**",
  i: "_",
  em: "_",
  s: "~~",
  del: "~~",
  strike: "~~",
};

const BLOCKS = new Set([
  "p",
  "div",
  "section",
  "article",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "tr",
  "figure",
]);
const HIDDEN = new Set(["script", "style", "template", "head", "title", "noscript"]);

type List = { isOrdered: boolean; next: number };

/** Lines are written one by one, each with the prefix of the quotes and list items around it. */
class Writer {
  readonly #nameOf: NameOf;
  #lines: string[] = [];
  #line = "";
  /** The start of the line that follows, such as `- ` or `## `; it is used once. */
  #marker = "";
  #indent: string[] = [];
  /** How many levels are around the empty line that is due; null if none is. */
  #gap: number | null = null;
  #lists: List[] = [];
  #links: (string | null)[] = [];
  #hidden: string | null = null;
  #isCode = false;
  #isPreformatted = false;

  constructor(nameOf: NameOf) {
    this.#nameOf = nameOf;
  }

  tag(tag: string): void {
    const [, slash, sentName = "", attributes = ""] = TAG.exec(tag) ?? [];
    const name = sentName.toLowerCase();
    const isEnd = slash === "/";
    if (this.#hidden !== null) {
      if (isEnd && name === this.#hidden) this.#hidden = null;
    } else if (HIDDEN.has(name)) this.#hidden = isEnd ? null : name;
    else if (this.#isPreformatted && name !== "pre") {
      if (name === "br") this.text("\n");
    } else if (isEnd) this.#end(name);
    else this.#start(name, attributesOf(attributes));
  }

  text(text: string): void {
    if (this.#hidden !== null) return;
    if (this.#isPreformatted) {
      const [first = "", ...rest] = text.replaceAll("\r\n", "\n").split("\n");
      this.#line += first;
      for (const line of rest) {
        this.#writeLine(true);
        this.#line = line;
      }
      return;
    }
    const words = text.replaceAll(/\s+/g, " ");
    const added = this.#line === "" ? words.trimStart() : words;
    this.#line += this.#isCode ? added.replaceAll("`", "'") : escapeMarkdown(added, this.#line === "");
  }

  finish(): string {
    this.#writeLine();
    return this.#lines.join("\n").trim();
  }

  #start(name: string, attributes: Map<string, string>): void {
    const mark = MARKS[name];
    if (mark !== undefined) this.#line += mark;
    else if (name === "code") this.#startCode();
    else if (name === "br") this.#breakLine();
    else if (name === "hr") this.#writeBlock("---");
    else if (name === "a") this.#startLink(attributes.get("href"));
    else if (name === "img" || name === "image-component") this.#writeImage(attributes);
    else if (name === "ul" || name === "ol") this.#startList(name === "ol");
    else if (name === "li") this.#startItem(attributes);
    else if (name === "input") this.#writeCheckbox(attributes);
    else if (name === "blockquote") this.#startQuote();
    else if (name === "pre") this.#startPreformatted();
    else if (name === "td" || name === "th") this.#line += this.#line === "" ? "" : " | ";
    else if (name === "mention-component")
      this.text(`@${this.#nameOf(attributes.get("entity_identifier") ?? "") ?? "somebody"}`);
    else if (attributes.get("data-type") === "horizontalRule") this.#writeBlock("---");
    else if (BLOCKS.has(name)) {
      this.#endBlock();
      const level = /^h([1-6])$/.exec(name)?.[1];
      if (level !== undefined) this.#marker += `${"#".repeat(Number(level))} `;
    }
  }

  #end(name: string): void {
    const mark = MARKS[name];
    if (mark !== undefined) this.#line += mark;
    else if (name === "code" && this.#isCode) [this.#isCode, this.#line] = [false, `${this.#line}\``];
    else if (name === "a") this.#endLink();
    else if (name === "ul" || name === "ol") this.#endList();
    else if (name === "li") this.#endItem();
    else if (name === "blockquote") this.#endQuote();
    else if (name === "pre" && this.#isPreformatted) this.#endPreformatted();
    else if (BLOCKS.has(name)) this.#endBlock();
  }

  #startCode(): void {
    this.#isCode = true;
    this.#line += "`";
  }

  #breakLine(): void {
    if (this.#line === "") return;
    this.#line += "  ";
    this.#writeLine();
  }

  #startLink(href: string | undefined): void {
    const target = href !== undefined && /^(?:https?:\/\/|mailto:)[^\s<>()]+$/i.test(href) ? href : null;
    this.#links.push(target);
    if (target !== null) this.#line += "[";
  }

  #endLink(): void {
    const target = this.#links.pop();
    if (target) this.#line += `](${target})`;
  }

  /** Images stay at the source, so they become links. */
  #writeImage(attributes: Map<string, string>): void {
    const label = `Image${attributes.get("alt") ? `: ${attributes.get("alt")}` : ""}`;
    this.#startLink(attributes.get("src"));
    this.text(label);
    this.#endLink();
  }

  #startList(isOrdered: boolean): void {
    this.#writeLine();
    if (this.#lists.length === 0) this.#writeEmptyLine();
    this.#lists.push({ isOrdered, next: 1 });
  }

  #endList(): void {
    this.#writeLine();
    this.#lists.pop();
    if (this.#lists.length === 0) this.#writeEmptyLine();
  }

  #startItem(attributes: Map<string, string>): void {
    this.#writeLine();
    const list = this.#lists.at(-1);
    const checked = attributes.get("data-checked");
    const task = checked === undefined ? "" : checked === "true" ? "[x] " : "[ ] ";
    const bullet = list?.isOrdered ? `${list.next++}. ` : "- ";
    this.#marker = `${bullet}${task}`;
    this.#indent.push(" ".repeat(bullet.length));
  }

  #endItem(): void {
    this.#writeLine();
    this.#marker = "";
    this.#indent.pop();
  }

  /** Editors put the box of a task before its text, beside or instead of `data-checked`. */
  #writeCheckbox(attributes: Map<string, string>): void {
    if (attributes.get("type") !== "checkbox" || !/^(?:- |\d+\. )$/.test(this.#marker)) return;
    this.#marker += attributes.has("checked") ? "[x] " : "[ ] ";
  }

  #startQuote(): void {
    this.#endBlock();
    this.#indent.push("> ");
  }

  #endQuote(): void {
    this.#writeLine();
    this.#indent.pop();
    this.#writeEmptyLine();
  }

  #startPreformatted(): void {
    this.#endBlock();
    this.#isPreformatted = true;
    this.#line = "````";
    this.#writeLine();
  }

  #endPreformatted(): void {
    if (this.#line !== "") this.#writeLine();
    this.#isPreformatted = false;
    this.#line = "````";
    this.#endBlock();
  }

  #writeBlock(text: string): void {
    this.#endBlock();
    this.#line = text;
    this.#endBlock();
  }

  /** Within a list item, blocks follow each other without an empty line. */
  #endBlock(): void {
    this.#writeLine();
    if (this.#lists.length === 0) this.#writeEmptyLine();
  }

  /** Before the next line, inside of the levels that are around both lines. */
  #writeEmptyLine(): void {
    this.#gap = Math.min(this.#gap ?? MAX_DEPTH, this.#indent.length);
  }

  #writeLine(isForced = false): void {
    const text = this.#isPreformatted ? this.#line : this.#line.replace(/(?<! ) $/, "");
    if (text.trim() === "" && !isForced) {
      this.#line = "";
      return;
    }
    if (this.#gap !== null && this.#lines.length > 0)
      this.#lines.push(this.#indent.slice(0, this.#gap).join("").trimEnd());
    const prefix = this.#prefix(this.#marker !== "" && this.#lists.length > 0 ? 1 : 0);
    this.#lines.push(`${prefix}${this.#marker}${text}`);
    [this.#line, this.#marker, this.#gap] = ["", "", null];
  }

  /** The last `without` levels are left out: the marker of a list item takes their place. */
  #prefix(without = 0): string {
    const levels = this.#indent.slice(0, Math.min(MAX_DEPTH, this.#indent.length - without));
    return levels.join("");
  }
}

const attributesOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = "", double, single, bare]) => [
      name.toLowerCase(),
      decodeEntities(double ?? single ?? bare ?? ""),
    ]),
  );

/** Escapes what Markdown would read as syntax, and at the start of a line also what would begin a block. */
function escapeMarkdown(text: string, isStart: boolean): string {
  const escaped = text.replaceAll(/[\\`*_[\]<>~|]/g, String.raw`\$&`);
  return isStart ? escaped.replace(/^(#{1,6}(?= |$)|[-+](?= |$)|\d{1,9}(?=[.)] ))/, escapeStart) : escaped;
}

const escapeStart = (start: string): string => (/\d/.test(start) ? `${start}\\` : `\\${start}`);

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  copy: "©",
  rarr: "→",
};

const decodeEntities = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
    (entity, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] as string) : entity;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "\uFFFD";
    },
  );

/**
 * Converts the common parts of Jira's wiki markup to Markdown: headings, emphasis, code, quotes, lists, links and tables. What is
 * not known stays as it is. Takes linear time.
 */
export function jiraToMarkdown(markup: string): string {
  const text = markup.slice(0, MAX_LENGTH).replaceAll("\r\n", "\n");
  const parts: string[] = [];
  let end = 0;
  // Code keeps its text; everything between is converted.
  for (const block of text.matchAll(/\{(code|noformat)(?::([^}\n]{0,100}))?\}/g)) {
    if (block.index < end) continue;
    const start = block.index + block[0].length;
    const close = text.indexOf(`{${block[1]}}`, start);
    if (close === -1) break;
    const code = text.slice(start, close).replace(/^\n/, "").replace(/\n$/, "");
    const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
    parts.push(
      convertText(text.slice(end, block.index)),
      `\n${fence}${languageOf(block[2])}\n${code}\n${fence}\n`,
    );
    end = close + `{${block[1]}}`.length;
  }
  parts.push(convertText(text.slice(end)));
  return parts.join("").trim();
}

/** More than the longest description, so that a longer text is still reported as cut. */
const MAX_LENGTH = 200_000;

const longestRun = (code: string) => Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length));

/** `{code:java|title=Cart.java}` or `{code:title=Cart.java|java}` */
const languageOf = (options = "") =>
  options.split("|").find((option) => /^[\w+#-]{1,20}$/.test(option)) ?? "";

function convertText(text: string): string {
  let isQuote = false;
  return text
    .replaceAll("{quote}", "\n{quote}\n")
    .split("\n")
    .map((line) => {
      if (line === "{quote}") {
        isQuote = !isQuote;
        return "";
      }
      const converted = convertLine(line);
      return isQuote && converted !== "" ? `> ${converted}` : converted;
    })
    .join("\n");
}

function convertLine(line: string): string {
  const [, level, heading] = /^\s*h([1-6])\.\s+(.*)$/.exec(line) ?? [];
  if (level !== undefined) return `${"#".repeat(Number(level))} ${convertInline(heading ?? "")}`;
  const [, quoted] = /^\s*bq\.\s+(.*)$/.exec(line) ?? [];
  if (quoted !== undefined) return `> ${convertInline(quoted)}`;
  const [, bullets, item] = /^\s*([*#-]{1,6})\s+(.*)$/.exec(line) ?? [];
  if (bullets !== undefined && !/^-{2,}$/.test(bullets)) {
    const marker = bullets.endsWith("#") ? "1." : "-";
    return `${"   ".repeat(bullets.length - 1)}${marker} ${convertInline(item ?? "")}`;
  }
  if (/^-{4,}\s*$/.test(line)) return "\n---";
  const [, header] = /^\s*\|\|(.*)\|\|\s*$/.exec(line) ?? [];
  if (header !== undefined) {
    const cells = header.split("||");
    return `| ${cells.map(convertInline).join(" | ")} |\n|${" --- |".repeat(cells.length)}`;
  }
  return convertInline(line);
}

const convertInline = (text: string): string =>
  text
    .replaceAll(/\{\{([^{}\n]{1,1000})\}\}/g, "`$1`")
    .replaceAll(
      /\[([^[\]|\n]{1,500})\|((?:https?:\/\/|mailto:)[^[\]|\s]{1,2000})(?:\|[^[\]\n]{0,50})?\]/g,
      "[$1]($2)",
    )
    .replaceAll(/\[((?:https?:\/\/|mailto:)[^[\]|\s]{1,2000})\]/g, "<$1>")
    .replaceAll(/\[~(?:accountid:)?([\w:.@-]{1,100})\]/g, "@$1")
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]{1,1000})(?<=\S)\*(?![\w*])/g, "**$1**")
    .replaceAll(/\{color(?::[^{}\n]{0,30})?\}/g, "");

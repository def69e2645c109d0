import type { Token } from "markdown-it";

/** The address of an uploaded file: of a report, an issue, an epic or a comment, or behind the status link of a report. */
const ATTACHMENT =
  /^\/api\/(?:(?:[a-z-]+\/\d{1,16}\/){1,4}attachments\/\d{1,16}(?:\/[a-z]{1,16})?|r\/[\w-]{22}\/images\/[\d-]{1,33})$/;

/** Only uploaded files are shown as images. An image from elsewhere would tell its server who reads the text. */
export const isAttachment = (url: string): boolean => ATTACHMENT.test(url);

/** Whether a link may have this target: http, https, mailto, or an uploaded file. */
const isSafe = (url: unknown): boolean =>
  typeof url === "string" && (/^(?:https?:\/\/|mailto:)/i.test(url) || isAttachment(url));

/** A core rule: keeps only the words of links and images with other targets. */
export function dropUnsafeTargets(tokens: Token[]): void {
  for (const block of tokens) if (block.children) block.children = withoutUnsafe(block.children);
}

function withoutUnsafe(tokens: Token[]): Token[] {
  const areKept: boolean[] = [];
  return tokens.filter((token) => {
    if (token.type === "link_open") {
      const isKept = isSafe(token.attrGet("href"));
      areKept.push(isKept);
      return isKept;
    }
    if (token.type === "link_close") return areKept.pop() ?? false;
    if (token.type === "image" && !isSafe(token.attrGet("src"))) token.type = "text";
    return true;
  });
}

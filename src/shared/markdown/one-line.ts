/**
 * Joins paragraphs, headings and list items into one line. A dot separates them, unless a punctuation mark already does:
 * "To repeat: Open the cart · Pay".
 */
export function oneLine(blocks: readonly string[]): string {
  const words = blocks.map((block) => block.replaceAll(/\s+/g, " ").trim()).filter((block) => block !== "");
  return words
    .flatMap((block, index) => (index < words.length - 1 ? [block, separatorAfter(block)] : [block]))
    .join("");
}

/** Only the end of the block is read, so that many blocks take linear time. */
const separatorAfter = (block: string) => (/[.!?:;,…]["'”’)\]]?$/.test(block.slice(-2)) ? " " : " · ");

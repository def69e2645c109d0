/**
 * Whether a GIF ends before its trailer. The decoder accepts such a file and silently drops the incomplete frames, so a
 * truncated animation would be stored as a shorter one.
 */
export function isTruncatedGif(gif: Buffer): boolean {
  let at = HEADER + tableSize(gif[10]);
  while (at < gif.length) {
    const block = gif[at];
    if (block === TRAILER) return false;
    if (block === EXTENSION) at = skipSubBlocks(gif, at + 2);
    else if (block === IMAGE) at = skipSubBlocks(gif, at + 11 + tableSize(gif[at + 9]));
    else at++; // skip bytes outside of blocks, as decoders do
  }
  return true;
}

const HEADER = 13;
const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];

/** Size in bytes of the color table that a block's flags announce. */
function tableSize(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 0x07) + 1) : 0;
}

/** The position after a sequence of sub-blocks. Each starts with its length; an empty one ends the sequence. */
function skipSubBlocks(gif: Buffer, from: number): number {
  let at = from;
  for (let length = gif[at]; length; length = gif[at]) at += 1 + length;
  return at + 1;
}

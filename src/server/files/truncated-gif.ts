/**
 * Whether a GIF ends before its trailer. The decoder makes do with the frames that are whole, and would take an
 * animation of which the end is missing for a shorter one.
 */
export function isCutOff(gif: Buffer): boolean {
  let at = HEADER + tableSize(gif[10]);
  while (at < gif.length) {
    const block = gif[at];
    if (block === TRAILER) return false;
    if (block === EXTENSION) at = behindSubBlocks(gif, at + 2);
    else if (block === IMAGE) at = behindSubBlocks(gif, at + 11 + tableSize(gif[at + 9]));
    else at++; // what belongs to no block is passed over, as the decoders do
  }
  return true;
}

const HEADER = 13;
const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];

/** Bytes of the colour table that a block's flags announce. */
function tableSize(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 0x07) + 1) : 0;
}

/** Each begins with its length, the last one is empty. */
function behindSubBlocks(gif: Buffer, from: number): number {
  let at = from;
  for (let length = gif[at]; length; length = gif[at]) at += 1 + length;
  return at + 1;
}

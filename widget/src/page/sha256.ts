/** The fractional parts of roots of the first primes, as SHA-256 defines its constants. */
function rootsOfPrimes(count: number, exponent: number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (prime ** exponent % 1) * 2 ** 32);
}

const ROUNDS = rootsOfPrimes(64, 1 / 3);
const START = rootsOfPrimes(8, 1 / 2);

/**
 * The first 32 bits of the SHA-256 of some bytes. The browser's own function answers asynchronously, which takes longer than
 * hashing a short text, and is missing on pages without https.
 */
export function firstWordOfSha256(bytes: Uint8Array): number {
  const blocks = ((bytes.length + 8) >> 6) + 1;
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = START.slice();
  for (let at = 0; at < padded.length; at += 64) addBlock(state, view, at);
  return state[0]!;
}

const words = new Uint32Array(64);

function addBlock(state: Uint32Array, view: DataView, at: number) {
  for (let n = 0; n < 16; n++) words[n] = view.getUint32(at + n * 4);
  for (let n = 16; n < 64; n++) {
    const early = words[n - 15]!;
    const late = words[n - 2]!;
    const mixed = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    words[n] = words[n - 16]! + mixed + words[n - 7]! + (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let n = 0; n < 64; n++) {
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[n]! + words[n]!;
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, n) => (state[n]! += value));
}

const rotate = (value: number, bits: number) => (value >>> bits) | (value << (32 - bits));

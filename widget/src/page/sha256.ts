/** The fractional parts of roots of the first primes, as SHA-256 defines its constants. */
function rootsOfPrimes(count: number, exponent: number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (prime ** exponent % 1) * 2 ** 32);
}

const ROUNDS = rootsOfPrimes(64, 1 / 3);
const START = rootsOfPrimes(8, 1 / 2);

/**
 * Returns a function that computes the first 32 bits of the SHA-256 of `prefix` and a short text of ASCII characters. The prefix's
 * complete blocks are hashed only once. The browser's own function answers asynchronously, which takes longer than hashing a short
 * text, and is missing on pages without https.
 */
export function hashAfter(prefix: Uint8Array): (text: string) => number {
  const whole = prefix.length - (prefix.length % 64);
  const middle = START.slice();
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.length);
  for (let at = 0; at < whole; at += 64) addBlock(middle, view, at);
  const rest = prefix.subarray(whole);
  const state = new Uint32Array(8);

  return (text) => {
    const length = rest.length + text.length;
    const bytes = new Uint8Array(length < 56 ? 64 : 128);
    bytes.set(rest);
    for (let n = 0; n < text.length; n++) bytes[rest.length + n] = text.charCodeAt(n);
    bytes[length] = 0x80;
    const blocks = new DataView(bytes.buffer);
    blocks.setUint32(bytes.length - 4, (whole + length) * 8);
    state.set(middle);
    for (let at = 0; at < bytes.length; at += 64) addBlock(state, blocks, at);
    return state[0]!;
  };
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
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
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

import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);

/** Argon2id parameters recommended by OWASP: 19 MiB, two passes. */
const MEMORY = 19_456;
const PASSES = 2;
const TAG_LENGTH = 32;

/** The most concurrent derivations; further ones wait. Each uses a core for about 30 ms and 19 MiB of memory. */
const MAX_DERIVATIONS = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** The hash of the password with a random salt, in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await tagOf(password, salt);
  return `$argon2id$v=19$m=${MEMORY},t=${PASSES},p=1$${base64(salt)}$${base64(tag)}`;
}

/**
 * Whether the password matches the hash. Without a hash (unknown address, account without a password) it returns false
 * after the same time, so that the timing does not reveal which addresses have accounts.
 */
export async function passwordMatches(password: string, phc: string | null | undefined): Promise<boolean> {
  const [, , , , salt, tag] = (phc ?? "").split("$");
  const expected = Buffer.from(tag ?? "", "base64");
  const actual = await tagOf(password, salt ? Buffer.from(salt, "base64") : Buffer.alloc(16));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

async function tagOf(password: string, nonce: Buffer): Promise<Buffer> {
  if (running >= MAX_DERIVATIONS) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await derive("argon2id", {
      message: password.normalize("NFKC"),
      nonce,
      parallelism: 1,
      tagLength: TAG_LENGTH,
      memory: MEMORY,
      passes: PASSES,
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");

import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { StartError } from "../../config/start-error.ts";

/** What is signed: the file's SHA-512 in hex, with a prefix that no other signature of the same key has. */
export function signedText(sha512: string): Buffer {
  return Buffer.from(`signalbox release file\nsha512 ${sha512}\n`);
}

/** Throws StartError unless `signatureFile` contains a signature of the file by the key, which is PEM. */
export async function requireSignature(
  file: string,
  signatureFile: string,
  publicKey: string,
): Promise<void> {
  const text = await readFile(signatureFile, "utf8").catch(() => undefined);
  if (text === undefined)
    throw new StartError(`There is no signature ${signatureFile}. Download it together with the file.`);
  const digest = createHash("sha512");
  await pipeline(createReadStream(file), digest);
  const signature = Buffer.from(text.trim(), "base64");
  if (!verify(null, signedText(digest.digest("hex")), createPublicKey(publicKey), signature))
    throw new StartError(
      `${signatureFile} is not a signature of this file by the key of the running version. The file is damaged, or comes from someone else.`,
    );
}

import { createHash, createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { signedText } from "../../src/server/commands/upgrade/signature.ts";

/** Reads an Ed25519 key in PEM form, or makes one that ends with this process. */
export async function readSigningKey(file: string | undefined): Promise<KeyObject> {
  if (file === undefined) return generateKeyPairSync("ed25519").privateKey;
  const key = createPrivateKey(await readFile(file, "utf8"));
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${file} is not an Ed25519 key.`);
  return key;
}

/** Writes the signature of a file beside it, with the extension `.sig`. */
export async function signFile(file: string, key: KeyObject): Promise<void> {
  const digest = createHash("sha512");
  await pipeline(createReadStream(file), digest);
  const signature = sign(null, signedText(digest.digest("hex")), key);
  await writeFile(`${file}.sig`, `${signature.toString("base64")}\n`);
}

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import sharp, { type SharpOptions } from "sharp";
import { MAX_PIXELS, openImage, refuseDamaged } from "./open-image.ts";

/** Converts images to the formats that are stored. Runs only in the file worker. */

const WEBP_QUALITY = 85;
/** At these qualities, AVIF and WebP look about equally good. */
const AVIF_QUALITY = 60;

/** Pixels per side of a thumbnail. Lists show 40 CSS pixels, for which screens have up to three pixels each. */
const THUMBNAIL_SIDE = 120;
const THUMBNAIL_QUALITY = 70;

export type Converted = { size: number; sha256: Uint8Array };

/**
 * Converts the image to WebP: applies the orientation, converts colors to sRGB, drops metadata and keeps animation. Keeps only
 * the first page of a TIFF. Throws ImageRefusal if the image is damaged or too large.
 */
export async function convertToWebp(file: string, format: string, target: string): Promise<Converted> {
  const { open, pixels } = await openImage(file, format, "all");
  await convertUndamaged((options) =>
    open(options)
      .webp({ quality: WEBP_QUALITY, effort: effortFor(pixels) })
      .toFile(target),
  );
  return measure(target);
}

/**
 * Crops an image that can be converted to the square in its middle, as WebP of a few kilobytes. Keeps only an animation's first
 * frame. Reads the original: unlike WebP, most photos can be decoded at an eighth of their size.
 */
export async function makeThumbnail(file: string, format: string): Promise<Buffer> {
  const { open } = await openImage(file, format, "first");
  return open({ failOn: "none", limitInputPixels: MAX_PIXELS })
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: "cover" })
    .webp({ quality: THUMBNAIL_QUALITY })
    .toBuffer();
}

/**
 * Crops the image to the square in its middle, scales it to `side` pixels, and writes it as AVIF and as WebP: applies the
 * orientation, converts colors to sRGB and drops metadata. Keeps only the first frame of an animation. Throws
 * ImageRefusal if the image is damaged or too large.
 */
export async function convertToSquare(
  file: string,
  format: string,
  { side, avif, webp }: { side: number; avif: string; webp: string },
): Promise<{ avif: Converted; webp: Converted }> {
  const { open } = await openImage(file, format, "first");
  const { data, info } = await convertUndamaged((options) =>
    open(options).resize(side, side, { fit: "cover" }).raw().toBuffer({ resolveWithObject: true }),
  );
  const { width, height, channels } = info;
  const square = () => sharp(data, { raw: { width, height, channels } });
  await square().avif({ quality: AVIF_QUALITY }).toFile(avif).catch(refuseDamaged);
  await square().webp({ quality: WEBP_QUALITY }).toFile(webp).catch(refuseDamaged);
  return { avif: await measure(avif), webp: await measure(webp) };
}

async function measure(file: string): Promise<Converted> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return { size: (await stat(file)).size, sha256: hash.digest() };
}

/** Common defects of images from cameras and editors, which all programs tolerate. */
const HARMLESS_WARNING = /Invalid SOS parameters|extraneous bytes before marker/;

/** Rejects an image with any warning, except the harmless ones. */
async function convertUndamaged<T>(convert: (options: SharpOptions) => Promise<T>): Promise<T> {
  const attempt = (failOn: SharpOptions["failOn"]) => convert({ failOn, limitInputPixels: MAX_PIXELS });
  return attempt("warning").catch((error: Error) => {
    if (HARMLESS_WARNING.test(error.message)) return attempt("error").catch(refuseDamaged);
    return refuseDamaged(error);
  });
}

/** Less effort per pixel for larger images, so that the largest take a few seconds, too. */
function effortFor(pixels: number): number {
  if (pixels <= 2_000_000) return 4;
  if (pixels <= 4_000_000) return 2;
  return pixels <= 25_000_000 ? 1 : 0;
}

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { decode } from "@cwasm/nsbmp";
import { isCutOff } from "./truncated-gif.ts";
import sharp, { type Sharp, type SharpOptions } from "sharp";

/** Turning an image into WebP (service.md 4.1, decisions.md 2). Runs in the file worker only. */

export const MOST_PIXELS = 50_000_000;
const MOST_FRAMES = 50;
/** WebP has no longer side. */
const LONGEST_SIDE = 16_383;
const QUALITY = 85;
/** Looks as WebP does with its own. */
const AVIF_QUALITY = 60;

// One conversion at a time, on one core: the rest of the machine is for everybody else.
sharp.concurrency(1);
sharp.cache(false);
// SVG, HEIF, PDF and whatever else the library may learn to read stay out, whatever a file claims to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Nsgif", "Webp", "Tiff"].map((format) => `VipsForeignLoad${format}File`),
});

/** The image cannot be stored; the message is for whoever sent it. */
export class ImageRefusal extends Error {}

export type Converted = { size: number; sha256: Uint8Array };

/**
 * Writes the image as WebP: orientation applied, colours sRGB, metadata dropped, animation kept; of a TIFF with many
 * pages the first. Throws ImageRefusal when it is damaged or larger than 50 million pixels (all frames together), 50
 * frames or 16,383 pixels a side.
 */
export async function convertToWebp(file: string, format: string, target: string): Promise<Converted> {
  const { open, pixels } = await source(file, format);
  await unlessDamaged((options) =>
    open(options)
      .webp({ quality: QUALITY, effort: effortFor(pixels) })
      .toFile(target),
  );
  return measured(target);
}

/**
 * Writes the square in the middle of the image, `side` pixels wide, as AVIF and as WebP: orientation applied, colours
 * sRGB, metadata dropped; of an animation, however long, the first frame. Throws ImageRefusal as above.
 */
export async function convertToSquare(
  file: string,
  format: string,
  { side, avif, webp }: { side: number; avif: string; webp: string },
): Promise<{ avif: Converted; webp: Converted }> {
  const { open } = await source(file, format, "still");
  const { data, info } = await unlessDamaged((options) =>
    open(options).resize(side, side, { fit: "cover" }).raw().toBuffer({ resolveWithObject: true }),
  );
  const { width, height, channels } = info;
  const square = () => sharp(data, { raw: { width, height, channels } });
  await square().avif({ quality: AVIF_QUALITY }).toFile(avif).catch(refuse);
  await square().webp({ quality: QUALITY }).toFile(webp).catch(refuse);
  return { avif: await measured(avif), webp: await measured(webp) };
}

async function measured(file: string): Promise<Converted> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return { size: (await stat(file)).size, sha256: hash.digest() };
}

async function unlessDamaged<T>(convert: (options: SharpOptions) => Promise<T>): Promise<T> {
  const attempt = (failOn: SharpOptions["failOn"]) => convert({ failOn, limitInputPixels: MOST_PIXELS });
  return attempt("warning").catch((error: Error) => {
    if (HARMLESS.test(error.message)) return attempt("error").catch(refuse);
    return refuse(error);
  });
}

/** Slips of cameras and editors that every program forgives. */
const HARMLESS = /Invalid SOS parameters|extraneous bytes before marker/;
/** Nothing is wrong with the image. */
const OUR_FAULT = /no space left|unable to (?:open|write|create)|permission denied/i;

function refuse(error: Error): never {
  throw OUR_FAULT.test(error.message) ? error : damaged();
}

/** An image whose head was read; the same one can be opened again. */
type Source = { open: (options: SharpOptions) => Sharp; pixels: number };

function source(file: string, format: string, frames: "all" | "still" = "all"): Promise<Source> {
  return format === "bmp" ? bitmap(file) : image(file, frames);
}

async function image(file: string, wanted: "all" | "still"): Promise<Source> {
  const {
    format,
    width,
    height,
    pages = 1,
  } = await sharp(file, { limitInputPixels: false }).metadata().catch(refuse);
  if (format === "gif" && isCutOff(await readFile(file))) throw damaged();
  const animated = wanted === "all" && (format === "gif" || format === "webp") && pages > 1;
  const frames = animated ? pages : 1;
  if (frames > MOST_FRAMES) throw new ImageRefusal(`must have at most ${MOST_FRAMES} frames`);
  requireSize(width, height, frames);
  // An animation has no orientation of its own that browsers know.
  const open = (options: SharpOptions) =>
    animated ? sharp(file, { ...options, animated }) : sharp(file, options).autoOrient();
  return { open, pixels: width * height * frames };
}

/** libvips does not read BMP; its decoder is another, and gives plain pixels. */
async function bitmap(file: string): Promise<Source> {
  const bytes = await readFile(file);
  if (bytes.length < 26) throw damaged();
  const old = bytes.readUInt32LE(14) === 12; // the header of OS/2
  const width = old ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const height = old ? bytes.readUInt16LE(20) : Math.abs(bytes.readInt32LE(22));
  requireSize(width, height, 1);
  const pixels = decoded(bytes);
  return {
    open: (options) => sharp(pixels, { ...options, raw: { width, height, channels: 4 } }),
    pixels: width * height,
  };
}

function decoded(bytes: Buffer): Uint8ClampedArray {
  try {
    return decode(bytes).data;
  } catch {
    throw damaged();
  }
}

function requireSize(width: number, height: number, frames: number) {
  if (width < 1 || height < 1) throw damaged();
  if (width > LONGEST_SIDE || height > LONGEST_SIDE)
    throw new ImageRefusal(`must be at most ${LONGEST_SIDE} pixels wide and high`);
  if (width * height * frames > MOST_PIXELS)
    throw new ImageRefusal(`must have at most ${MOST_PIXELS / 1_000_000} million pixels`);
}

/** The more pixels, the less time for each: the largest image takes a few seconds then, too. */
function effortFor(pixels: number): number {
  if (pixels <= 2_000_000) return 4;
  if (pixels <= 8_000_000) return 2;
  return pixels <= 25_000_000 ? 1 : 0;
}

const damaged = () => new ImageRefusal("is damaged");

import { readFile } from "node:fs/promises";
import { decode } from "@cwasm/nsbmp";
import sharp, { type Sharp, type SharpOptions } from "sharp";
import { isTruncatedGif } from "./truncated-gif.ts";

/** Opening an image for conversion, after checking its size. Runs only in the file worker. */

/** All frames together. */
export const MAX_PIXELS = 50_000_000;
const MAX_FRAMES = 50;
/** The WebP format allows no longer side. */
const MAX_SIDE = 16_383;

// One conversion at a time on one core leaves the rest of the machine to requests.
sharp.concurrency(1);
sharp.cache(false);
// Allow only these loaders, so that a file cannot reach the decoder for SVG, HEIF, PDF or a format added later.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Nsgif", "Webp", "Tiff"].map((format) => `VipsForeignLoad${format}File`),
});

/** The image cannot be stored. The message is shown to the sender as a field error. */
export class ImageRefusal extends Error {}

/** An image whose header has been read and checked. `open` can be called more than once. */
export type OpenedImage = { open: (options: SharpOptions) => Sharp; pixels: number };

/**
 * Opens an image, with its frames or as a still image. Throws ImageRefusal if it is damaged, or larger than 50 million
 * pixels (all frames together), 50 frames or 16,383 pixels per side.
 */
export function openImage(file: string, format: string, frames: "all" | "first"): Promise<OpenedImage> {
  return format === "bmp" ? openBitmap(file) : openWithSharp(file, frames);
}

async function openWithSharp(file: string, wanted: "all" | "first"): Promise<OpenedImage> {
  const {
    format,
    width,
    height,
    pages = 1,
  } = await sharp(file, { limitInputPixels: false }).metadata().catch(refuseDamaged);
  if (format === "gif" && isTruncatedGif(await readFile(file))) throw damaged();
  const animated = wanted === "all" && (format === "gif" || format === "webp") && pages > 1;
  const frames = animated ? pages : 1;
  if (frames > MAX_FRAMES) throw new ImageRefusal(`must have at most ${MAX_FRAMES} frames`);
  requireSize(width, height, frames);
  // Browsers ignore the EXIF orientation of animations.
  const open = (options: SharpOptions) =>
    animated ? sharp(file, { ...options, animated }) : sharp(file, options).autoOrient();
  return { open, pixels: width * height * frames };
}

/** libvips cannot read BMP, so another decoder turns the file into raw pixels. */
async function openBitmap(file: string): Promise<OpenedImage> {
  const bytes = await readFile(file);
  if (bytes.length < 26) throw damaged();
  const isOs2 = bytes.readUInt32LE(14) === 12; // the size of the OS/2 header
  const width = isOs2 ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const height = isOs2 ? bytes.readUInt16LE(20) : Math.abs(bytes.readInt32LE(22));
  requireSize(width, height, 1);
  const pixels = decodeBitmap(bytes);
  return {
    open: (options) => sharp(pixels, { ...options, raw: { width, height, channels: 4 } }),
    pixels: width * height,
  };
}

function decodeBitmap(bytes: Buffer): Uint8ClampedArray {
  try {
    return decode(bytes).data;
  } catch {
    throw damaged();
  }
}

function requireSize(width: number, height: number, frames: number) {
  if (width < 1 || height < 1) throw damaged();
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw new ImageRefusal(`must be at most ${MAX_SIDE} pixels wide and high`);
  if (width * height * frames > MAX_PIXELS)
    throw new ImageRefusal(`must have at most ${MAX_PIXELS / 1_000_000} million pixels`);
}

/** Errors of the server, such as a full disk, say nothing about the image. */
const SERVER_ERROR = /no space left|unable to (?:open|write|create)|permission denied/i;

/** Turns a decoding error into a refusal of the image. */
export function refuseDamaged(error: Error): never {
  throw SERVER_ERROR.test(error.message) ? error : damaged();
}

const damaged = () => new ImageRefusal("is damaged");

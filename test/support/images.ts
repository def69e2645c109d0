import { crc32, deflateSync } from "node:zlib";
import sharp, { type Color } from "sharp";

/** Pictures made for a test. */

export const GREY = { r: 128, g: 128, b: 128 };

export function picture(width = 40, height = 30, background: Color = GREY) {
  return sharp({ create: { width, height, channels: 3, background } });
}

export const png = (width?: number, height?: number, color?: Color) =>
  picture(width, height, color).png().toBuffer();

/** Noise, which no format compresses well. */
export function noise(width: number, height: number) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: GREY,
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });
}

/** A black PNG with one bit per pixel; even a huge one has only a few kilobytes. */
export function blankPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 9 });
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** Frames of different colors, each shown slightly longer than the previous one. */
export async function gif(frames: number): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, n) => png(20, 10, { r: n * 4, g: 255 - n * 4, b: n % 2 ? 255 : 0 })),
  );
  return sharp(pages, { join: { animated: true } })
    .gif({ delay: pages.map((_, n) => 100 + 20 * n), loop: 3, interFrameMaxError: 0 })
    .toBuffer();
}

/** An uncompressed bitmap of one color with 24 or 32 bits per pixel; with 32 the alpha is 0, as most programs write it. */
export function bmp(width: number, height: number, { r, g, b } = GREY, bits: 24 | 32 = 24): Buffer {
  const row = Math.ceil((width * bits) / 32) * 4;
  const bytes = Buffer.alloc(54 + row * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(bits, 28);
  bytes.writeUInt32LE(row * height, 34);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) bytes.set([b, g, r], 54 + y * row + x * (bits / 8));
  return bytes;
}

/** The color in the center, rounded to tolerate lossy compression. */
export async function middleColor(
  image: Buffer,
): Promise<{ r: number; g: number; b: number; alpha: number }> {
  const { width, height } = await sharp(image).metadata();
  const pixel = await sharp(image)
    .ensureAlpha()
    .extract({ left: width >> 1, top: height >> 1, width: 1, height: 1 })
    .raw()
    .toBuffer();
  const [r = 0, g = 0, b = 0, alpha = 0] = pixel;
  return { r, g, b, alpha };
}

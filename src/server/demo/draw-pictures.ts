import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { newKey } from "../files/storage/storage.ts";
import type { Random } from "./samples/seeded-random.ts";

/** A temporary file that has no row yet. */
export type DrawnFile = { path: string; storage_key: string; size: number; sha256: Buffer };

const INKS = ["#1d3557", "#2a6f5e", "#8c3b2e", "#6b4c9a", "#3d405b", "#a05a00"];
const PAPERS = ["#f4efe4", "#e8eef2", "#f1ece8", "#eaf1ea"];

/** Draws screenshots and, every fourth time, a square picture of a bike. */
export function drawReportPictures(folder: string, count: number, random: Random): Promise<DrawnFile[]> {
  const drawings = Array.from({ length: count }, (_, index) =>
    index % 4 === 3 ? bike(random, 900, 900) : screen(random),
  );
  return Promise.all(
    drawings.map(async (svg) =>
      keep(folder, await sharp(Buffer.from(svg)).webp({ quality: 80, effort: 2 }).toBuffer()),
    ),
  );
}

/** Draws simple faces in both formats of profile pictures. */
export function drawFaces(
  folder: string,
  count: number,
  random: Random,
): Promise<{ avif: DrawnFile; webp: DrawnFile }[]> {
  const faces = Array.from({ length: count }, () => face(random));
  return Promise.all(
    faces.map(async (svg) => {
      const image = sharp(Buffer.from(svg));
      const [avif, webp] = await Promise.all([
        image.clone().avif({ quality: 60, effort: 2 }).toBuffer(),
        image.clone().webp({ quality: 85 }).toBuffer(),
      ]);
      return { avif: await keep(folder, avif), webp: await keep(folder, webp) };
    }),
  );
}

async function keep(folder: string, bytes: Buffer): Promise<DrawnFile> {
  const storage_key = newKey();
  const file = path.join(folder, storage_key);
  await writeFile(file, bytes);
  return { path: file, storage_key, size: bytes.length, sha256: createHash("sha256").update(bytes).digest() };
}

const box = ([x, y, width, height]: [number, number, number, number], fill: string, radius = 6) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;

/** Contains no text, because the machine may have no fonts. */
function screen(random: Random): string {
  const [ink, paper] = [random.pick(INKS), random.pick(PAPERS)];
  const lines = (x: number, y: number, count: number, width: number) =>
    Array.from({ length: count }, (_, row) =>
      box([x, y + row * 26, Math.floor(width * (0.45 + random.fraction() * 0.55)), 10], "#c3c0b8", 5),
    ).join("");
  const cards = [0, 1, 2].map((column) => {
    const x = 60 + column * 380;
    return (
      box([x, 250, 340, 420], "#ffffff", 12) +
      `<svg x="${x + 40}" y="280" width="260" height="200" viewBox="0 0 900 700">${wheels(random)}</svg>` +
      lines(x + 30, 510, 4, 280)
    );
  });
  const wrong = 60 + random.integer(0, 2) * 380;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="750" viewBox="0 0 1200 750">
    <rect width="1200" height="750" fill="${paper}"/><rect width="1200" height="64" fill="${ink}"/>
    ${box([60, 22, 150, 20], "#ffffff", 10)}${box([880, 22, 80, 20], "#ffffff88", 10)}${box([990, 22, 80, 20], "#ffffff88", 10)}
    ${box([60, 110, 420, 34], ink, 8)}${lines(60, 170, 2, 620)}${cards.join("")}
    <rect x="${wrong - 12}" y="238" width="364" height="444" rx="18" fill="none" stroke="#c8321e" stroke-width="7"/></svg>`;
}

function bike(random: Random, width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 -100 900 900">
    <rect y="-100" width="900" height="900" fill="${random.pick(PAPERS)}"/><rect y="590" width="900" height="210" fill="#cfc8b8"/>${wheels(random)}</svg>`;
}

function wheels(random: Random): string {
  const color = random.pick(INKS);
  return `<g fill="none" stroke="${color}" stroke-width="16" stroke-linecap="round" stroke-linejoin="round">
    <circle cx="220" cy="470" r="150" stroke="#2b2b2b"/><circle cx="680" cy="470" r="150" stroke="#2b2b2b"/>
    <path d="M220 470 L340 240 L600 240 L430 470 Z M340 240 L430 470 M600 240 L680 470 M600 240 L580 170 L650 150 M340 240 L325 190 M285 185 L370 185"/>
    <circle cx="430" cy="470" r="34"/></g>`;
}

function face(random: Random): string {
  const skin = random.pick(["#f2d3bd", "#d9a27e", "#a86f4b", "#7a4a30", "#eec39a"]);
  const hair = random.pick(["#2b2320", "#6b4226", "#c79a4b", "#8a8a8a", "#a03d22"]);
  const back = random.pick(["#dfe7ee", "#e9e2d3", "#dcebe0", "#ece0ea"]);
  const shirt = random.pick(INKS);
  const top = random.pick([
    "M64 120 Q60 46 128 44 Q196 46 192 120 Q176 78 128 80 Q80 78 64 120 Z",
    "M58 176 Q44 44 128 42 Q212 44 198 176 L184 176 Q188 84 128 84 Q68 84 72 176 Z",
    "M66 104 Q84 50 136 50 Q186 54 190 104 Q150 84 66 104 Z",
  ]);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">
    <rect width="256" height="256" fill="${back}"/><path d="M36 256 Q44 196 128 194 Q212 196 220 256 Z" fill="${shirt}"/>
    <rect x="108" y="168" width="40" height="44" rx="18" fill="${skin}"/><ellipse cx="128" cy="126" rx="58" ry="66" fill="${skin}"/>
    <path d="${top}" fill="${hair}"/><circle cx="107" cy="126" r="6" fill="#2b2320"/><circle cx="149" cy="126" r="6" fill="#2b2320"/>
    <path d="M106 156 Q128 ${random.integer(164, 178)} 150 156" fill="none" stroke="#2b2320" stroke-width="5" stroke-linecap="round"/></svg>`;
}

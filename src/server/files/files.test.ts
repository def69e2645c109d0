import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { bmp, gif, middleColor, noise, picture, png } from "../../../test/support/images.ts";
import { FileExaminer } from "./file-examiner.ts";
import type { Uploader } from "./uploader.ts";

let folder: string;
let examiner: FileExaminer;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "signalbox-files-"));
  examiner = new FileExaminer();
});
after(async () => {
  examiner.close();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
const uploader = (signal = new AbortController().signal): Uploader => ({
  project: "1",
  credential: "pat:1",
  signal,
});
async function examine(filename: string, content: Buffer | string, by = examiner, signal?: AbortSignal) {
  const file = path.join(folder, String(++count));
  await writeFile(file, content);
  const [verdict] = await by.examine([{ file, filename, target: `${file}.webp` }], uploader(signal));
  assert.ok(verdict);
  return verdict;
}
/** The WebP file to which the image is converted. */
async function converted(filename: string, content: Buffer): Promise<Buffer> {
  const verdict = await examine(filename, content);
  assert.ok("converted" in verdict && verdict.converted, JSON.stringify(verdict));
  return readFile(path.join(folder, `${count}.webp`));
}

const zip = (entries: [string, string][]): Buffer => {
  const parts = entries.map(([name, content]) => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(content.length, 22);
    head.writeUInt16LE(name.length, 26);
    return Buffer.concat([head, Buffer.from(name), Buffer.from(content)]);
  });
  return Buffer.concat([...parts, Buffer.from("PK\x05\x06"), Buffer.alloc(18)]);
};
const office = (kind: string) =>
  zip([
    [
      "[Content_Types].xml",
      `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
    ],
    ["_rels/.rels", "x"],
  ]);
const openDocument = (kind: string) => zip([["mimetype", `application/vnd.oasis.opendocument.${kind}`]]);
const container = (stream: string) =>
  Buffer.concat([
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    Buffer.alloc(1_016),
    Buffer.from(stream, "utf16le"),
    Buffer.alloc(512),
  ]);
const mp3 = Buffer.concat([
  Buffer.from("ID3\x03\0\0\0\0\0\0"),
  Buffer.from([0xff, 0xfb, 0x90, 0x64]),
  Buffer.alloc(413),
]);

const SAMPLES: Record<string, Buffer> = {
  pdf: Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF"),
  doc: container("WordDocument"),
  xls: container("Workbook"),
  ppt: container("PowerPoint Document"),
  docx: office("wordprocessingml.document"),
  xlsx: office("spreadsheetml.sheet"),
  pptx: office("presentationml.presentation"),
  odt: openDocument("text"),
  ods: openDocument("spreadsheet"),
  odp: openDocument("presentation"),
  txt: Buffer.from("BM, said the note.\n"),
  csv: Buffer.from("a;b\n1;2\n"),
  json: Buffer.from(' {"a": [1, 2]}'),
  xml: Buffer.from('<?xml version="1.0"?><a/>'),
  md: Buffer.from("# Title\n\n* one\n"),
  mp4: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypmp42\0\0\0\0mp42isom")]),
  mp3,
  wav: Buffer.from("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0"),
  ogg: Buffer.concat([
    Buffer.from("OggS\0\x02"),
    Buffer.alloc(22),
    Buffer.from("\x01vorbis"),
    Buffer.alloc(30),
  ]),
};

test("every type is recognized by its content, and rejected under the extension of another type", async () => {
  const texts = new Set(["txt", "csv", "json", "xml", "md"]);
  const anyText = new Set(["txt", "csv", "md"]);
  for (const [type, content] of Object.entries(SAMPLES)) {
    const own = await examine(`a.${type.toUpperCase()}`, content);
    assert.ok("mime_type" in own, `${type}: ${JSON.stringify(own)}`);
    for (const other of [...Object.keys(SAMPLES), "png", "jpg", "gif", "webp", "bmp", "tiff"]) {
      // Any text is valid content for a text file.
      if (other === type || (texts.has(type) && anyText.has(other))) continue;
      const verdict = await examine(`a.${other}`, content);
      assert.ok("refused" in verdict, `${type} passes as ${other}`);
    }
  }
});

test("text may be UTF-8, UTF-16 or a legacy encoding, but must not contain binary data", async () => {
  const long = "x".repeat(70_000);
  const taken = [
    "",
    "Grüße 日本 😀\n\t\f",
    "\x1b[31mred\x1b[0m",
    Buffer.from("Gr\xfc\xdfe", "latin1"),
    Buffer.from("\ufeffGrüße", "utf16le"),
    Buffer.from("\ufeffGrüße", "utf16le").swap16(),
    Buffer.from(long),
  ];
  for (const content of taken)
    assert.ok("mime_type" in (await examine("a.txt", content)), content.toString());
  const refused = [
    "a\0b",
    `${long}\0`,
    "\x01",
    Buffer.from("\ufeffa\0b", "utf16le"),
    "%PDF-1.4 text",
    "{\\rtf1 x}",
  ];
  for (const content of refused)
    assert.ok("refused" in (await examine("a.txt", content)), content.toString().slice(-9));
  for (const [name, content] of [
    ["a.json", "hello"],
    ["a.json", ""],
    ["a.xml", "{}"],
    ["a.xml", ""],
  ] as const)
    assert.ok("refused" in (await examine(name, content)), name);
});

test("a converted image is upright and contains no metadata", async () => {
  const left = await picture(40, 80, { r: 250, g: 0, b: 0 }).png().toBuffer();
  const photo = await picture(80, 80, { r: 0, g: 0, b: 250 })
    .composite([{ input: left, left: 0, top: 0 }])
    .jpeg({ quality: 95 })
    .withExif({
      IFD0: { Make: "Secret Camera" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  assert.ok((await sharp(photo).metadata()).exif);
  const webp = await converted("photo.jpg", photo);
  const { width, height, exif, orientation, icc, xmp } = await sharp(webp).metadata();
  assert.deepEqual(
    [width, height, exif, orientation, icc, xmp],
    [80, 80, undefined, undefined, undefined, undefined],
  );
  // Rotated clockwise by 90 degrees, the left side is at the top.
  const at = async (x: number, y: number) =>
    middleColor(await sharp(webp).extract({ left: x, top: y, width: 4, height: 4 }).png().toBuffer());
  const [top, bottom] = [await at(60, 10), await at(10, 70)];
  assert.ok(top.r > 200 && top.b < 60, JSON.stringify(top));
  assert.ok(bottom.b > 200 && bottom.r < 60, JSON.stringify(bottom));
});

test("an animation keeps its frames, their durations and its loop count", async () => {
  const webp = await converted("a.gif", await gif(5));
  const { pages, delay, loop, pageHeight } = await sharp(webp, { animated: true }).metadata();
  assert.deepEqual(
    { pages, delay, loop, pageHeight },
    { pages: 5, delay: [100, 120, 140, 160, 180], loop: 3, pageHeight: 10 },
  );
  const again = await sharp(await converted("a.webp", webp), { animated: true }).metadata();
  assert.deepEqual([again.pages, again.delay], [5, delay]);
});

test("transparency is kept, and a bitmap with an unused alpha channel is opaque", async () => {
  const clear = await sharp({
    create: { width: 20, height: 20, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } },
  })
    .png()
    .toBuffer();
  assert.ok(Math.abs((await middleColor(await converted("a.png", clear))).alpha - 128) < 4);
  assert.equal(
    (await middleColor(await converted("a.bmp", bmp(20, 20, { r: 1, g: 2, b: 3 }, 32)))).alpha,
    255,
  );
});

test("an image of 48 megapixels is converted within the time and memory limits", async () => {
  const large = await picture(8_000, 6_000, { r: 20, g: 120, b: 220 }).jpeg().toBuffer();
  const { width, height } = await sharp(await converted("large.jpg", large)).metadata();
  assert.deepEqual([width, height], [8_000, 6_000]);
});

test("a conversion that takes too much CPU time is refused, and the next one succeeds", async () => {
  const hasty = new FileExaminer({ maxCpuMs: 30 });
  try {
    const slow = await examine(
      "slow.png",
      await noise(3_000, 3_000).png({ compressionLevel: 0 }).toBuffer(),
      hasty,
    );
    assert.deepEqual(slow, { refused: "takes too long to convert" });
  } finally {
    hasty.close();
  }
  assert.ok("converted" in (await examine("a.png", await png())));
});

test("text and documents do not wait for images", async () => {
  const slow = await noise(1_000, 1_000).jpeg().toBuffer();
  // Starting the process for other files may take longer than converting an image.
  await examine("first.txt", "x");
  const images = Array.from({ length: 3 }, (_, n) => `${n}.jpg`);
  const order: string[] = [];
  const examineIn = async (name: string, content: Buffer | string) => {
    await examine(name, content);
    order.push(name);
  };
  await Promise.all([
    ...images.map((name) => examineIn(name, slow)),
    examineIn("b.txt", "x"),
    examineIn("c.pdf", SAMPLES["pdf"] as Buffer),
  ]);
  assert.equal(order.length, images.length + 2);
  assert.ok(images.includes(order.at(-1) ?? ""), order.join(", "));
});

test("a conversion ends when its client disconnects, and the next one succeeds", async () => {
  const slow = await noise(1_500, 1_500).jpeg().toBuffer();
  const abort = new AbortController();
  const dropped = examine("slow.jpg", slow, examiner, abort.signal);
  const next = examine("a.png", await png());
  abort.abort(new Error("disconnected"));
  await assert.rejects(dropped, /disconnected/);
  assert.ok("converted" in (await next));
});

test("concurrent files each get their own result", async () => {
  const image = await noise(600, 400).png().toBuffer();
  const verdicts = await Promise.all(
    Array.from({ length: 6 }, (_, n) => examine(n % 2 ? "a.png" : "a.txt", n % 2 ? image : "x")),
  );
  assert.deepEqual(
    verdicts.map((verdict) => "converted" in verdict),
    [false, true, false, true, false, true],
  );
});

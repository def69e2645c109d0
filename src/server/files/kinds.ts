/** The types of files that can be attached (service.md 4.1), by the extension of their names. */
export type Kind = {
  mime_type: string;
  /** How its content is recognised: as text, by what file-type calls it, or as an image that is converted. */
  content:
    | { as: "text"; begins?: RegExp }
    | { as: "binary"; detected: readonly string[]; holds?: readonly string[] }
    | { as: "image"; detected: readonly string[] };
};

const text = (mime_type: string, begins?: RegExp): Kind => ({
  mime_type,
  content: { as: "text", ...(begins ? { begins } : {}) },
});
const binary = (mime_type: string, ...detected: string[]): Kind => ({
  mime_type,
  content: { as: "binary", detected },
});
const image = (...detected: string[]): Kind => ({
  mime_type: "image/webp",
  content: { as: "image", detected },
});

/** Old Office files share one container; what they hold is told by the name of a stream inside. */
const oldOffice = (mime_type: string, ...holds: string[]): Kind => ({
  mime_type,
  content: { as: "binary", detected: ["cfb"], holds },
});

const KINDS: Record<string, Kind> = {
  pdf: binary("application/pdf", "pdf"),
  doc: oldOffice("application/msword", "WordDocument"),
  xls: oldOffice("application/vnd.ms-excel", "Workbook", "Book"),
  ppt: oldOffice("application/vnd.ms-powerpoint", "PowerPoint Document"),
  docx: binary("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
  xlsx: binary("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
  pptx: binary("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
  odt: binary("application/vnd.oasis.opendocument.text", "odt"),
  ods: binary("application/vnd.oasis.opendocument.spreadsheet", "ods"),
  odp: binary("application/vnd.oasis.opendocument.presentation", "odp"),
  txt: text("text/plain"),
  csv: text("text/csv"),
  json: text("application/json", /^\s*(?:[[{"\d-]|true|false|null)/),
  xml: text("application/xml", /^\s*</),
  md: text("text/markdown"),
  jpg: image("jpg"),
  jpeg: image("jpg"),
  png: image("png", "apng"),
  gif: image("gif"),
  webp: image("webp"),
  bmp: image("bmp"),
  tiff: image("tif"),
  tif: image("tif"),
  mp4: binary("video/mp4", "mp4", "m4v"),
  mp3: binary("audio/mpeg", "mp3"),
  wav: binary("audio/wav", "wav"),
  ogg: binary("audio/ogg", "ogg", "oga", "ogv", "ogm", "ogx", "opus", "spx"),
};

export const IMAGE_TYPES = "jpg, jpeg, png, gif, webp, bmp or tiff";

/** What a file of this name has to be; undefined when its type cannot be attached. */
export function kindOf(filename: string): Kind | undefined {
  const extension = extensionOf(filename);
  return Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
}

/** Lower case, without the dot; empty when there is none. */
export function extensionOf(filename: string): string {
  return /\.([^.]*)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}

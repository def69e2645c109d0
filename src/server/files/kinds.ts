/** A type of file that can be attached. The extension of the file's name determines its kind. */
export type Kind = {
  mime_type: string;
  /** How to check the content: as text, by what the `file-type` package detects, or as an image, which is converted. */
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
/** Images are converted to this type when they are stored, so their content is the server's own. */
export const CONVERTED_TYPE = "image/webp";

const image = (...detected: string[]): Kind => ({
  mime_type: CONVERTED_TYPE,
  content: { as: "image", detected },
});

/** Old Office formats share one container format. The name of a stream inside tells them apart. */
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

/** The kind that a file with this name must have; undefined if such files cannot be attached. */
export function kindOf(filename: string): Kind | undefined {
  const extension = extensionOf(filename);
  return Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
}

/** In lower case and without the dot; empty if there is none. */
export function extensionOf(filename: string): string {
  return /\.([^.]*)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}

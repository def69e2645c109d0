import { REPORT_FILES } from "../../shared/reports.ts";
import type { FieldErrors } from "../answers/errors.ts";
import type { Context } from "../access/context.ts";
import { findFileErrors, type FileRules } from "../files/file-rules.ts";
import type { ExpectedParts } from "../files/read-multipart.ts";
import { storeUploads, type StoredUpload } from "../files/store-uploads.ts";
import type { Uploader } from "../files/uploader.ts";
import type { IncomingMessage } from "node:http";

const RULES: FileRules = {
  field: "files",
  files: REPORT_FILES.most,
  bytes: REPORT_FILES.bytes,
  imagesOnly: true,
};

/** Files are sent as `files[0]`, `files[1]` …; error fields use the same numbers: `files.0`. */
const expectedParts = (fields: readonly string[]): ExpectedParts => ({
  fields,
  fileField: (name, index) => {
    const number = /^files(?:\[(\d{0,3})\])?$/.exec(name);
    return number ? `files.${number[1] || index}` : undefined;
  },
  files: REPORT_FILES.most,
  fileBytes: REPORT_FILES.bytes,
});

const numberOf = (field: string) => Number(field.slice("files.".length));

type ReportUpload<Body, Result> = {
  /** The names of the text fields to read. */
  fields: readonly string[];
  uploader: Uploader;
  /** Checks the fields before the images are examined. Throws 422, also if there are `fileErrors`. */
  read: (fields: Record<string, string>, fileErrors: FieldErrors) => Body | Promise<Body>;
  /** False if the images are to be dropped. */
  keepsFiles?: (body: Body) => boolean;
  create: (body: Body, files: StoredUpload[]) => Promise<Result>;
};

/** Reads the multipart body of a new report, and creates it with its images. */
export function receiveReportUpload<Body, Result>(
  context: Context,
  request: IncomingMessage,
  { fields, uploader, read, keepsFiles = () => true, create }: ReportUpload<Body, Result>,
): Promise<Result> {
  return context.uploads.read(request, uploader, expectedParts(fields), async (upload) => {
    const body = await read(upload.fields, findFileErrors(upload, RULES));
    const files = keepsFiles(body) ? upload.files : [];
    const inOrder = files.toSorted((a, b) => numberOf(a.field) - numberOf(b.field));
    return storeUploads(context, uploader, inOrder, (stored) => create(body, stored));
  });
}

import type { Answer, Client } from "./client.ts";

/** A file part, or a text field if `value` is given. */
export type Part = {
  name: string;
  value?: string;
  filename?: string;
  content?: Buffer | string;
  type?: string;
};

const BOUNDARY = "----signalbox-test";
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** Encodes the parts. Quotes in file names are escaped as browsers do. */
export function multipart(parts: Part[]): Buffer {
  const pieces = parts.flatMap(
    ({ name, value, filename, content = "", type = "application/octet-stream" }) => {
      const file =
        filename === undefined
          ? ""
          : `; filename="${filename.replaceAll('"', "%22")}"\r\nContent-Type: ${type}`;
      const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
      return [Buffer.from(head), Buffer.from(value ?? content), Buffer.from("\r\n")];
    },
  );
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export function upload(client: Client, url: string, parts: Part[]): Promise<Answer> {
  return sendMultipart(client, url, multipart(parts));
}

/** Sends a body unchanged, even if it is incomplete. */
export function sendMultipart(client: Client, url: string, payload: Buffer): Promise<Answer> {
  return client.send({ method: "POST", url, headers: { "content-type": MULTIPART }, payload });
}

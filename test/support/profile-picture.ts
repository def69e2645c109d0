import assert from "node:assert/strict";
import type { Client } from "./client.ts";
import { upload } from "./multipart.ts";

export const sendPicture = (client: Client, filename: string, content: Buffer | string) =>
  upload(client, "/api/profile/picture", [{ name: "file", filename, content }]);

/** Sends an image and returns the resulting picture. */
export async function setPicture(
  client: Client,
  filename: string,
  content: Buffer,
): Promise<{ avif: string; webp: string }> {
  const answer = await sendPicture(client, filename, content);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.profile_picture;
}

import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type ReceivedPush = { headers: Record<string, unknown>; path: string; body: Buffer };

/** A push service on this machine. It keeps what it receives and answers with `status`. */
export async function openPushService() {
  const received: ReceivedPush[] = [];
  const service = { status: 201, received, url: "", close: async () => {} };
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ headers: request.headers, path: request.url ?? "", body });
      response.writeHead(service.status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  };
  return service;
}

/** A push service that accepts requests and never answers. */
export async function openHangingService() {
  let requests = 0;
  const server = createServer(() => void requests++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** A browser's side of a subscription. */
export function makeBrowser() {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") },
    read: (body: Buffer) =>
      JSON.parse(decrypt(ecdh, publicKey, auth, body)) as { title: string; path: string },
  };
}

/** The receiving side of RFC 8291, written apart from the sending one. */
function decrypt(own: ECDH, ownKey: Buffer, auth: Buffer, body: Buffer): string {
  const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, info, length));
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + body.readUInt8(20);
  const senderKey = body.subarray(21, keyEnd);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ownKey, senderKey]);
  const secret = derive(own.computeSecret(senderKey), auth, info, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const decipher = createDecipheriv(
    "aes-128-gcm",
    key,
    derive(secret, salt, "Content-Encoding: nonce\0", 12),
  );
  decipher.setAuthTag(body.subarray(-16));
  const text = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  return text.subarray(0, text.lastIndexOf(2)).toString("utf8");
}

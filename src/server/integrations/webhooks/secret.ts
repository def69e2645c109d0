import { randomBytes } from "node:crypto";

export const newSecret = () => randomBytes(32);

/** The form of Standard Webhooks, which their libraries take. */
export const writeSecret = (secret: Buffer) => `whsec_${secret.toString("base64")}`;

import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { html, Html } from "./html.ts";
import { OUTSIDE_STYLE } from "./outside-style.ts";

/** A page for people without an account. It loads nothing but images of this server. */
export type OutsidePage = {
  title: string;
  body: Html;
  /** An inline script. It must not depend on the request, because browsers run only scripts with a known hash. */
  script?: string;
};

/** Sends the page. It is not stored, framed or found by search engines, and its address is not passed on to other sites. */
export function sendOutsidePage(
  reply: FastifyReply,
  { title, body, script = "" }: OutsidePage,
  status = 200,
): FastifyReply {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${new Html(`<style>${OUTSIDE_STYLE}</style>`)}
      </head>
      <body>
        <main>${body}</main>
        ${script === "" ? undefined : new Html(`<script>${script}</script>`)}
      </body>
    </html> `;
  return reply
    .code(status)
    .headers({ ...FOR_HOLDER_ONLY, "content-security-policy": policyWith(script) })
    .type("text/html; charset=utf-8")
    .send(page.text);
}

/** The address is a secret, so it must not reach search engines or other sites. */
export const FOR_HOLDER_ONLY = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};

const policyWith = (script: string) =>
  [
    "default-src 'none'",
    `style-src ${sourceOf(OUTSIDE_STYLE)}`,
    `script-src ${script === "" ? "'none'" : sourceOf(script)}`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** A date, such as `November 28, 2026`. */
export function dateOf(moment: string): Html {
  const text = new Date(moment).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  return html`<time datetime="${moment}">${text}</time>`;
}

import { readdir } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { HttpError } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { findForm } from "./find-form.ts";
import { formHtml, MISSING_HTML, POLICY } from "./page-html.ts";

/** `built` is the folder of the built widget, which contains the script of the page. */
type PageOptions = { db: Db; built: string };

/** Serves the pages of public forms. Their script sends what visitors write to `/api/forms/{form key}`. */
export function serveFormPages(app: FastifyInstance, { db, built }: PageOptions): void {
  app.get("/f/:formKey", { config: { needs: "nothing" } }, async (request, reply) => {
    const { formKey } = request.params as { formKey: string };
    const [form, script] = await Promise.all([findForm(db, formKey).catch(onlyIfMissing), findScript(built)]);
    void reply.headers(HEADERS).type("text/html; charset=utf-8");
    if (!form || script === undefined) return reply.code(404).send(MISSING_HTML);
    return reply.send(formHtml(form.project.name, `/widget/${script}`));
  });
}

const HEADERS = {
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

function onlyIfMissing(error: unknown): undefined {
  if (!(error instanceof HttpError) || error.status !== 404) throw error;
}

/** The name contains a hash, which changes when the widget is built again. */
async function findScript(built: string): Promise<string | undefined> {
  const names = await readdir(built).catch(() => []);
  return names.find((name) => /^page-[A-Z0-9]{8}\.js$/.test(name));
}

import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import type { Attachment } from "../../src/shared/attachments.ts";
import { type Report } from "../../src/shared/reports.ts";
import { DEADLINE } from "../support/eventually.ts";
import { makeCookie } from "../support/make.ts";
import { useTestSite } from "./test-site.ts";
import type { TestPage } from "./test-page.ts";
import { openShop, type Shop } from "./widget-page.ts";

export const formOf = (page: Page) => page.getByRole("dialog", { name: "Send feedback" });

/** A shop with the widget, and what tests of its images do there. */
export async function useImageForm() {
  const site = await useTestSite({ LIMIT_FEEDBACK_ADDRESS: "1000" });
  const shop = await openShop(site);

  /** Opens the form on a page of the shop. */
  async function openForm(
    options: Parameters<Shop["open"]>[1] = {},
  ): Promise<{ page: TestPage; form: Locator }> {
    const page = await shop.open({}, options);
    await page.getByRole("button", { name: "Feedback" }).click();
    return { page, form: formOf(page) };
  }

  /** Sends the form and returns the images of the report. */
  async function send({ page, form }: { page: Page; form: Locator }): Promise<Buffer[]> {
    await form.getByRole("textbox", { name: "Description" }).fill("The cart is empty");
    await form.getByRole("button", { name: "Send feedback" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor({ timeout: DEADLINE });
    const reports = "/api/projects/WEB/reports";
    const report = ((await site.api.get(reports)).body as Report[]).at(-1);
    const files = `${reports}/${report?.id}/attachments`;
    const attachments = (await site.api.get(files)).body as Attachment[];
    return Promise.all(attachments.map(({ id }) => download(`${files}/${id}/download`)));
  }

  async function download(path: string): Promise<Buffer> {
    const cookie = await makeCookie(site.t.db, site.owner.id);
    const response = await fetch(site.url + path, { headers: { cookie } });
    return Buffer.from(await response.arrayBuffer());
  }

  return { site, shop, openForm, send };
}

/** How many pixels are red, and how many black. */
export async function countColors(image: Buffer): Promise<{ red: number; black: number; width: number }> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let red = 0;
  let black = 0;
  for (let at = 0; at < data.length; at += 3) {
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
    if (r > 150 && g < 100 && b < 100) red++;
    if (r + g + b < 30) black++;
  }
  return { red, black, width: info.width };
}

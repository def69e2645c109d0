import type { TestSite } from "./test-site.ts";

/** Fills the site's project with the issues WEB-1 and WEB-2 and an epic; "voucher" is in WEB-1 and in the epic. */
export async function makeVoucherShop(site: TestSite): Promise<{ epicId: number }> {
  await site.create("/issues", { title: "Voucher is taken twice", description: "At the checkout." });
  await site.create("/issues", { title: "Postage to islands" });
  const { id: epicId } = await site.create("/epics", { title: "Voucher campaign" });
  return { epicId };
}

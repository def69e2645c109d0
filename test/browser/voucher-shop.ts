import assert from "node:assert/strict";
import type { TestSite } from "./test-site.ts";

/** Fills the site's project with the issues WEB-1 and WEB-2 and an epic; "voucher" is in WEB-1 and in the epic. */
export async function makeVoucherShop(site: TestSite) {
  const create = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await site.api.post(`/api/projects/${site.project.id}${path}`, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  await create("/issues", { title: "Voucher is taken twice", description: "At the checkout." });
  await create("/issues", { title: "Postage to islands" });
  const { id: epicId } = await create("/epics", { title: "Voucher campaign" });
  return { create, epicId };
}

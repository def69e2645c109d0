import { after, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { makeCookie } from "../support/make.ts";
import { createBoard, inLane } from "./board-page.ts";
import { launchWithPageCache } from "./chromium.ts";
import { useTestSite } from "./test-site.ts";

/*
 * On a touch screen, a long press starts the browser's own drag, in Chromium for Android as in Safari for iOS. The headless
 * shell cannot drag by touch, so this needs the whole browser.
 */

const site = await useTestSite();
const { browser, hasPageCache: isWhole } = await launchWithPageCache();
after(() => browser.close());

type DragData = { items: { mimeType: string; data: string }[]; dragOperationsMask: number };

for (const [device, width, height] of [
  ["phone", 390, 800],
  ["tablet", 1024, 768],
] as const)
  if (isWhole)
    test(`on a ${device}, a card is moved by a long press and a drag`, async () => {
      const board = await createBoard(site);
      for (const title of ["One", "Two", "Three"]) await board.make(title);
      const context = await browser.newContext({
        baseURL: site.url,
        viewport: { width, height },
        hasTouch: true,
        isMobile: true,
        reducedMotion: "reduce",
      });
      const [name = "", value = ""] = (await makeCookie(site.t.db, site.owner.id)).split("=");
      await context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: "Lax" }]);
      const page = await context.newPage();
      await page.goto(`/projects/${board.key}/board`);
      const [from, onto] = [inLane(page, "Backlog", "One"), inLane(page, "Backlog", "Two")];
      // The board has taken its place once a tap would hit the card.
      await onto.tap({ trial: true });
      const box = async (card: typeof from) => (await card.boundingBox()) ?? { x: 0, y: 0, height: 0 };

      const devTools = await context.newCDPSession(page);
      await devTools.send("Emulation.setEmitTouchEventsForMouse", {
        enabled: true,
        configuration: "mobile",
      });
      await devTools.send("Input.setInterceptDrags", { enabled: true });
      const lifted = new Promise<DragData>((resolve) =>
        devTools.once("Input.dragIntercepted", ({ data }) => resolve(data)),
      );
      const { x, y } = await box(from);
      const finger = { x: x + 40, y: y + 5, button: "left", clickCount: 1 } as const;
      // Answered only once the page takes the press as a click.
      void devTools.send("Input.dispatchMouseEvent", { type: "mousePressed", ...finger }).catch(() => {});
      const data = await lifted;
      const target = await box(onto);
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await devTools.send("Input.dispatchDragEvent", {
          type,
          x: target.x + 40,
          y: target.y + target.height + 20,
          data,
        });
      await eventually(() => board.order(board.lanes.backlog), ["Two", "One", "Three"]);
      await context.close();
    });

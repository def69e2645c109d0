/** What Chromium reveals about the connection; other browsers have no such API. */
type Connection = { saveData?: boolean; effectiveType?: string };

const connection = (): Connection | undefined =>
  (navigator as Navigator & { connection?: Connection }).connection;

/** Whether the browser asks to save data. */
export const savesData = (): boolean => connection()?.saveData === true;

/** Whether a round trip takes more than about 0.3 s, or less than about 700 kbit/s arrive. */
export const isSlow = (): boolean => ["slow-2g", "2g", "3g"].includes(connection()?.effectiveType ?? "");

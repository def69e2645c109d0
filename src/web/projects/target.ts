/** Where an app sends to. */
export type Target = { dsn: string; url: string; key: string; project: { id: number; key: string } };

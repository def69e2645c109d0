import { z } from "zod";

/** The archive's first file. */
export const MANIFEST = "manifest.json";

/** Grows when an older version could not read the archive. */
export const EXPORT_FORMAT = "signalbox-export-1";

export const exportManifest = z.object({
  format: z.literal(EXPORT_FORMAT),
  program: z.string(),
  made_at: z.string(),
  project: z.object({
    id: z.int(),
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    created_at: z.string(),
  }),
  /** Objects by kind. */
  counts: z.record(z.string(), z.int().min(0)),
});

export type ExportManifest = z.infer<typeof exportManifest>;

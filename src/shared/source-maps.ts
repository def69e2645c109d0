import { z } from "zod";
import { count, moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { id } from "./text.ts";

/** Source maps and the minified files that they belong to, uploaded per release. */

export const MAX_ARTIFACT_BYTES = 100 * 1_048_576;

/** The most bytes of an upload, unpacked. */
export const MAX_ARTIFACT_UPLOAD_BYTES = 512 * 1_048_576;

/** The most files of an upload. */
export const MAX_ARTIFACTS = 10_000;

export const MAX_ARTIFACT_NAME = 1_024;

export const ARTIFACT_TYPES = ["source_map", "source"] as const;

export type ArtifactType = (typeof ARTIFACT_TYPES)[number];

export const artifactAnswer = z.strictObject({
  id,
  /** `~/` and a path. */
  name: z.string(),
  type: z.enum(ARTIFACT_TYPES),
  size: count,
  debug_id: z.string().nullable(),
  created_at: moment,
});

export type Artifact = z.infer<typeof artifactAnswer>;

export const uploadedArtifactsAnswer = z.strictObject({ data: z.array(artifactAnswer) });

/** Documents the multipart body of an upload in the API reference. The server streams files instead of parsing them with it. */
export const artifactForm = z.object({ "files[0]": z.file(), "files[1]": z.file().optional() });

/** A minified file, and the id of the build that made it and its source map: a lowercase UUID. */
export type DebugImage = { code_file: string; debug_id: string };

export const UNMAPPED_REASONS = [
  "no_release",
  "no_map_for_release",
  "unknown_debug_id",
  "file_not_found",
  "invalid_map",
  "position_not_in_map",
  "too_slow",
  "source_missing",
] as const;

export type UnmappedReason = (typeof UNMAPPED_REASONS)[number];

/** The place in the original code. Lines and columns count from 1. */
export const originalAnswer = z.strictObject({
  filename: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
  function: z.string().nullable(),
  context_line: z.string().nullable(),
  pre_context: z.array(z.string()),
  post_context: z.array(z.string()),
});

export type Original = z.infer<typeof originalAnswer>;

/** Why a frame has no original code, and what to do. */
export const unmappedAnswer = z.strictObject({
  reason: z.enum(UNMAPPED_REASONS),
  message: z.string(),
  /** The name of the most similar file of the release. */
  nearest: z.string().optional(),
});

export type Unmapped = z.infer<typeof unmappedAnswer>;

/** A minified file that frames of the release's latest events name, and the source map that it has, if any. */
const releaseFileAnswer = z.strictObject({
  /** The path in the frames as `~/path`. */
  name: z.string(),
  /** Frames of the events looked at that name the file. */
  frames: count,
  debug_id: z.string().nullable(),
  /** The source map; null if there is none. */
  artifact_id: id.nullable(),
  unmapped: unmappedAnswer.nullable(),
});

export const releaseMappingAnswer = z.strictObject({
  /** How many events were looked at: the latest one of each error that was seen last in the release, at most 50. */
  events: count,
  files: z.array(releaseFileAnswer),
});

export type ReleaseMapping = z.infer<typeof releaseMappingAnswer>;

const artifact: Artifact = {
  id: 311,
  name: "~/assets/app.4f1d.js.map",
  type: "source_map",
  size: 1_482_113,
  debug_id: "5f1e2a7c-8d0b-4c8e-9a53-0c6a4d1b7e22",
  created_at: AT,
};

const unmapped: Unmapped = {
  reason: "file_not_found",
  message: "Release 4.2.1 has source maps, but none for ~/assets/cart.91be.js. Upload the map of this build.",
  nearest: "~/assets/cart.7c02.js.map",
};

/** Examples for the API reference. */
export const sourceMapExamples = {
  Artifact: { schema: artifactAnswer, example: artifact },
  UploadedArtifacts: { schema: uploadedArtifactsAnswer, example: { data: [artifact] } },
  ArtifactForm: { schema: artifactForm, example: undefined },
  ReleaseMapping: {
    schema: releaseMappingAnswer,
    example: {
      events: 12,
      files: [
        {
          name: "~/assets/app.4f1d.js",
          frames: 31,
          debug_id: artifact.debug_id,
          artifact_id: 311,
          unmapped: null,
        },
        { name: "~/assets/cart.91be.js", frames: 4, debug_id: null, artifact_id: null, unmapped },
      ],
    } satisfies ReleaseMapping,
  },
};

import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import type { DrawnFile } from "./draw-pictures.ts";
import type { DemoPerson } from "./people.ts";

const FORMATS = ["avif", "webp"] as const;

/** Gives the faces to the first people. The others keep their initials. */
export async function saveProfilePictures(
  tx: Tx,
  people: DemoPerson[],
  faces: { avif: DrawnFile; webp: DrawnFile }[],
): Promise<void> {
  const rows = faces.flatMap((face, index) =>
    FORMATS.map((format) => ({
      user_id: people[index]?.id as number,
      format,
      file_name: `${face[format].sha256.toString("hex").slice(0, 32)}.${format}`,
      size: face[format].size,
      storage_key: face[format].storage_key,
    })),
  );
  await tx.insertInto("profile_pictures").values(rows).execute();
  await sql`
    update users u set profile_picture = p.addresses
    from (
      select user_id, jsonb_object_agg(format, '/api/users/' || user_id || '/picture/' || file_name) as addresses
      from profile_pictures where user_id = any(${people.map((person) => person.id)}::bigint[]) group by user_id
    ) p
    where u.id = p.user_id`.execute(tx);
}

import { profileBody } from "../../shared/people.ts";
import type { Api, Context } from "../app.ts";
import { forbidden } from "../http/errors.ts";
import { readProfile, updateProfile } from "./profile.ts";

export function profileRoutes(api: Api, { database: { db } }: Context) {
  api.get("/api/profile", { config: { needs: "caller" } }, (request) =>
    readProfile(db, request.caller.user_id),
  );

  api.patch("/api/profile", { config: { needs: "caller" }, schema: { body: profileBody } }, (request) => {
    // The address can set a new password, so a token must not move it.
    if (request.body.email !== undefined && request.caller.kind !== "session")
      throw forbidden("Only a browser session may change the e-mail address.");
    return updateProfile(db, request.caller.user_id, request.body);
  });
}

import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { releaseName } from "../../../shared/error-groups.ts";
import { deployBody } from "../../../shared/releases.ts";
import { optional, timestamp } from "../../../shared/text.ts";
import type { Api, Context } from "../../access/context.ts";
import { scopeRefusalOf } from "../../access/refusal.ts";
import { validated } from "../../answers/validation.ts";
import { recordDeploy } from "../../errors/releases/record-deploy.ts";
import { removeDeletedFilesNow } from "../../files/storage/remove-deleted-files.ts";
import { uploaderOf } from "../../files/uploader.ts";
import { acceptUploads } from "../../files/uploads.ts";
import { answerSentryError } from "../../ingest/doors/sentry/answer-sentry-error.ts";
import type { SourceMapReader } from "../mapping/map-reader.ts";
import { assemble, assembleBody, type Assembly } from "./assemble.ts";
import { CHUNK_BYTES, chunkOwner, CHUNKS_PER_REQUEST, receiveChunks, REQUEST_BYTES } from "./chunks.ts";
import { clientProjects, projectsWithRelease, type ClientProject } from "./client-projects.ts";
import { newRelease, previousRelease, putRelease, releaseChanges } from "./client-releases.ts";

/** Every route accepts a Read & write project token, or a personal token that may write. */
const config = { needs: "caller", projectToken: "read_write", tokenOnly: true, area: "errors" } as const;
const projectConfig = { ...config, needs: "error-groups:update", feature: "error_tracking" } as const;

const ORGANIZATION = "/api/0/organizations/:organization";
const PROJECT = "/api/0/projects/:organization/:projectId";

type Path = { organization: string; version: string };
const pathOf = ({ params }: FastifyRequest) => params as Path;

/**
 * What Sentry's command line clients and bundler plugins call to upload source maps and to name releases. The organization in the path
 * can be any text. Needs a scope of its own, because its errors are `{"detail": …}`.
 */
export function sentryClientRoutes(api: Api, context: Context, sourceMaps: SourceMapReader) {
  api.setErrorHandler(answerSentryError);
  acceptUploads(api);
  // The guard lets a token that may only read send a GET.
  api.addHook("preValidation", async ({ caller }) => {
    const refusal = scopeRefusalOf(caller, { projectToken: "read_write", area: "errors", reads: false });
    if (refusal) throw refusal;
  });
  accountRoutes(api, context);
  uploadRoutes(api, context, sourceMaps);
  releaseRoutes(api, context);
}

/** With and without a slash at the end. */
const urls = (url: string) => [url, `${url}/`];

/** What clients ask before they upload. */
function accountRoutes(api: Api, { publicUrl }: Context) {
  for (const url of urls("/api/0"))
    api.get(url, { config }, async ({ caller, db }) => {
      const user =
        caller.kind === "personal"
          ? await db
              .selectFrom("users")
              .select(["id", "email", "username"])
              .where("id", "=", caller.user_id)
              .executeTakeFirst()
          : undefined;
      return {
        version: "0",
        auth: { scopes: ["org:read", "project:read", "project:releases", "project:write"] },
        user: user ? { ...user, id: String(user.id) } : null,
      };
    });

  for (const url of urls(ORGANIZATION))
    api.get(url, { config }, (request) => {
      const { organization } = pathOf(request);
      const links = { organizationUrl: publicUrl(), regionUrl: publicUrl() };
      return { id: organization, slug: organization, name: organization, links };
    });

  for (const url of urls(`${ORGANIZATION}/repos`)) api.get(url, { config }, () => []);
}

function uploadRoutes(
  api: Api,
  { authority, outside, storage, uploads, publicUrl, config: settings }: Context,
  sourceMaps: SourceMapReader,
) {
  for (const url of urls(`${ORGANIZATION}/chunk-upload`)) {
    api.get(url, { config }, (request) => ({
      url: `${publicUrl()}/api/0/organizations/${encodeURIComponent(pathOf(request).organization)}/chunk-upload/`,
      chunkSize: CHUNK_BYTES,
      chunksPerRequest: CHUNKS_PER_REQUEST,
      maxRequestSize: REQUEST_BYTES,
      concurrency: 4,
      hashAlgorithm: "sha1",
      compression: ["gzip"],
      accept: ["release_files", "artifact_bundles", "artifact_bundles_v2"],
    }));

    api.post(url, { config }, async (request, reply) => {
      const { caller } = request;
      if (caller.kind === "project") await clientProjects({ authority, caller }, undefined);
      const uploader = uploaderOf(caller, undefined, reply.raw);
      await receiveChunks({ uploads, storage, db: outside }, request.raw, uploader, chunkOwner(caller));
      await removeDeletedFilesNow(outside, storage, request.log);
      return {};
    });
  }

  for (const url of urls(`${ORGANIZATION}/artifactbundle/assemble`))
    api.post(url, { config }, async (request): Promise<Assembly> => {
      const { caller } = request;
      const body = validated(assembleBody, request.body);
      const projects = await clientProjects({ authority, caller }, body.projects);
      const parts = { db: outside, storage, uploads, sourceMaps, quota: settings.projectStorage };
      const result = await assemble(parts, chunkOwner(caller), { ...body, projects });
      await removeDeletedFilesNow(outside, storage, request.log);
      return result;
    });
}

function releaseRoutes(api: Api, { authority }: Context) {
  type Exchange = { request: FastifyRequest; projects: ClientProject[] };
  /** The projects that the body names; those of the path alone if it names one. */
  const named = async (request: FastifyRequest): Promise<Exchange> => {
    const { projects } = validated(z.object({ projects: releaseChanges.shape.projects }), request.body);
    return { request, projects: await clientProjects({ authority, caller: request.caller }, projects) };
  };
  const inPath = async (request: FastifyRequest): Promise<Exchange> => ({
    request,
    projects: [request.project],
  });

  const create = async ({ request, projects }: Exchange) => {
    const { version, ...changes } = validated(newRelease, request.body);
    return putRelease(request.db, projects, version, changes);
  };
  const change = async ({ request, projects }: Exchange) => {
    const version = versionIn(request);
    return (await putRelease(request.db, projects, version, validated(releaseChanges, request.body))).release;
  };

  for (const [scope, settings, find] of [
    [ORGANIZATION, config, named],
    [PROJECT, projectConfig, inPath],
  ] as const) {
    for (const url of urls(`${scope}/releases`))
      api.post(url, { config: settings }, async (request, reply) => {
        const { release, isNew } = await create(await find(request));
        return reply.code(isNew ? 201 : 200).send(release);
      });
    for (const url of urls(`${scope}/releases/:version`))
      api.put(url, { config: settings }, async (request) => change(await find(request)));
  }

  for (const url of urls(`${ORGANIZATION}/releases/:version/deploys`))
    api.post(url, { config }, async (request, reply) => {
      const version = versionIn(request);
      const deploy = validated(clientDeploy, request.body);
      const projects = await projectsWithRelease({ authority, caller: request.caller }, request.db, version);
      const { environment, url: address, dateFinished = new Date().toISOString() } = deploy;
      const body = { version, environment, url: address, commit: undefined, deployed_at: dateFinished };
      const recorded = [];
      for (const { id } of projects) recorded.push(await recordDeploy(request.db, id, body));
      const id = String(recorded[0]?.deployId);
      return reply
        .code(201)
        .send({ id, environment: environment ?? null, dateFinished, url: address ?? null });
    });

  for (const url of urls(`${ORGANIZATION}/releases/:version/previous-with-commits`))
    api.get(url, { config }, async (request) => {
      const { caller, db } = request;
      const projects =
        caller.kind === "project" ? await clientProjects({ authority, caller }, undefined) : [];
      return (await previousRelease(db, projects, versionIn(request))) ?? {};
    });
}

const { environment, url } = deployBody.shape;
const clientDeploy = z.object({ environment, url, dateFinished: optional(timestamp) });

const versionIn = (request: FastifyRequest): string =>
  validated(z.object({ version: releaseName }), { version: pathOf(request).version }).version;

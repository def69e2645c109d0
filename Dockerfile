# Signalbox: API, web app and background jobs in one process, with an embedded PostgreSQL unless DATABASE_URL is set.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY build/link-node.mjs build/
COPY reporter/package.json reporter/
COPY cli/package.json cli/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY build/link-node.mjs build/
COPY reporter/package.json reporter/
COPY cli/package.json cli/
# The base image has Node: the copy from npm would add 190 MB.
RUN npm ci --omit=dev --no-audit --no-fund && rm -r node_modules/node-linux-* node_modules/.bin/node

FROM node:24-slim
# The id is fixed, so that a volume still belongs to this account in later images.
RUN groupadd --gid 10001 signalbox \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin signalbox \
  && install --directory --owner=10001 --group=10001 --mode=0700 /data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json package-lock.json signalbox.mjs LICENSE ./
COPY build/build-if-needed.ts build/builds.ts ./build/
COPY src/server ./src/server
COPY src/shared ./src/shared
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that SIGTERM reaches it; draining takes up to ten seconds.
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--no-parallel-scavenge", "--heap-growing-percent=60", "--no-allocation-site-pretenuring", "signalbox.mjs", "serve"]

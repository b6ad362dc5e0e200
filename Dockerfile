# The gateway's server and sweep, as infra/container/start.ts runs them. Node strips the types: what
# runs is the source, and there is nothing to build but the catalog.
FROM node:24-slim
ENV NODE_ENV=production
ENV CATALOG_PATH=/app/catalog.json
WORKDIR /app

COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

COPY catalog/ catalog/
COPY functions/ functions/
COPY shared/ shared/
COPY infra/local/function-url-event.ts \
  infra/local/function-url-server.ts \
  infra/local/functions.ts \
  infra/local/lambda-globals.ts \
  infra/local/listen.ts \
  infra/local/serve.ts \
  infra/local/settings.ts \
  infra/local/starting-error.ts \
  infra/local/stop-on-signals.ts \
  infra/local/
COPY infra/container/ infra/container/
RUN node infra/container/compile-catalog.ts

USER node
EXPOSE 8080
ENTRYPOINT ["node", "infra/container/start.ts"]

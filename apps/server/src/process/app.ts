import express, { type Express, type RequestHandler } from "express";
import type { Uses } from "../accounts/uses.js";
import { consolePages, sitePages } from "../public/site.js";
import { followForm } from "../public/form.js";
import { mailPages } from "../public/mail-pages.js";
import { pictureFiles } from "../public/pictures.js";
import { portalPages } from "../public/portal.js";
import { followPages } from "../public/public-pages.js";
import { sendRequestId } from "../http/access-log.js";
import { ApiError } from "../http/errors.js";
import { errorResponder } from "../http/failures.js";
import { checkHost, crossOrigin, securityHeaders } from "../http/guards.js";
import { createAuthenticator } from "../http/auth.js";
import { createCache } from "../http/cache.js";
import { answerOperations } from "../http/operations.js";
import { createReadQuery } from "../http/params.js";
import { mountPages } from "../http/documents.js";
import { mountMetrics } from "../http/metrics-endpoint.js";
import { createRateLimit } from "../http/rate-limit.js";
import { createRunOnce } from "../http/idempotency-repeatable.js";
import type { Metrics } from "../metrics/metrics.js";
import type { Config } from "../settings/config.js";
import type { FindLocation } from "../followers/locations.js";
import { restrict } from "../people/restrict.js";
import { createSessionAuthenticator } from "../people/authenticate.js";
import { createHandlers } from "./operations.js";
import type { Services } from "../services.js";

interface AppOptions extends Services {
  readonly operations: RequestHandler;
  readonly config: Config;
  readonly findLocation: FindLocation;
  /** False once the server is stopping. */
  readonly isReady: () => Promise<boolean>;
  /** Of the installation. */
  readonly secret: string;
  /** Undefined without METRICS_TOKEN. */
  readonly metrics?: Metrics | undefined;
}

/** Creates the HTTP application. Handlers run in the order in which they are added. */
export function createApp(options: AppOptions): Express {
  const { db, operations, config, clock, log, findLocation, isReady, metrics, secret } = options;
  const app = createExpress(config);
  app.use(operations, sendRequestId);
  const { PUBLIC_URL: publicUrl, STORE_IP: storeIp } = config;
  const followLimits = {
    perAddress: config.FOLLOW_LIMIT_PER_ADDRESS,
    perCalendar: config.FOLLOW_LIMIT_PER_CALENDAR,
  };
  const mail = config.SMTP_URL === undefined ? undefined : { secret };
  const services = { db, clock, log, publicUrl, mapUrl: config.MAP_URL, mail };
  app.use(followForm({ ...services, storeIp, followLimits, findLocation }));
  app.use(mailPages(services));
  app.use(pictureFiles(services));
  app.use(followPages({ ...services, count: config.FOLLOWER_COUNT }));
  app.use(consolePages(services));
  app.use(portalPages(services));
  app.use(sitePages({ ...services, home: config.HOME_PAGE }));
  app.use(securityHeaders(publicUrl), checkHost);
  if (metrics !== undefined) mountMetrics(app, metrics);
  app.use(crossOrigin(config.CORS_ORIGINS));
  mountPages(app, isReady);
  app.use(() => {
    throw new ApiError("path_unknown");
  });
  app.use(errorResponder(log));
  return app;
}

/** Most wrong secrets from one address: 256 bits cannot be guessed, but each guess is work. */
const guessesPerMinute = 30;

interface OperationOptions extends Pick<AppOptions, "db" | "config" | "clock" | "log" | "metrics"> {
  readonly uses: { readonly tokens: Pick<Uses, "record">; readonly sessions: Pick<Uses, "record"> };
}

export function createOperations({ config, metrics, uses, ...services }: OperationOptions): RequestHandler {
  return answerOperations(createHandlers(config), {
    ...services,
    authenticate: createAuthenticator(services.db, uses.tokens),
    findSession: createSessionAuthenticator(services.db, uses.sessions),
    restrict,
    isInsecure: config.CONSOLE_INSECURE === "on",
    provider: config.OIDC_ISSUER && (config.OIDC_NAME ?? new URL(config.OIDC_ISSUER).hostname),
    sendsMail: config.SMTP_URL !== undefined,
    pageSize: config.PAGE_SIZE,
    publicUrl: config.PUBLIC_URL,
    runOnce: createRunOnce(metrics?.keys.uses),
    corsOrigins: config.CORS_ORIGINS,
    rateLimit: config.RATE_LIMIT === 0 ? undefined : createRateLimit(config.RATE_LIMIT),
    guesses: createRateLimit(guessesPerMinute),
    readQuery: createReadQuery(),
    cache: createCache(config.PAGE_CACHE_MB * 1024 * 1024, ({ length }) => length),
    cacheCounts: metrics?.caches.lists,
  });
}

function createExpress(config: Config): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.set("query parser", false); // ours is strict: http/query-string.ts
  app.set("trust proxy", config.TRUST_PROXY);
  return app;
}

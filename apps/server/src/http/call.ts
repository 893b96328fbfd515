import type { AnyOperationId, Operation } from "@kalends/spec";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Principal } from "../accounts/principal.js";
import type { Database } from "../db/database.js";
import type { Authenticate } from "./auth.js";
import type { Cache, CacheCounts } from "./cache.js";
import type { ConsoleServices, FindSession, Restrict, sessionOf } from "./cookies.js";
import type { ErasedHandler } from "./handler.js";
import type { PrintedBody } from "./json.js";
import type { heavyPartOf } from "./limits.js";
import type { ReadQuery } from "./params.js";
import type { RateLimit } from "./rate-limit.js";
import type { RunOnce } from "./repeatable.js";

/** What the operations are answered with. */
export interface Services extends ConsoleServices {
  readonly db: Database;
  readonly clock: () => number;
  readonly pageSize: number;
  readonly publicUrl: string | undefined;
  readonly authenticate: Authenticate;
  readonly findSession: FindSession;
  readonly restrict: Restrict;
  readonly runOnce: RunOnce;
  readonly corsOrigins: string;
  /** Undefined when there is no limit. */
  readonly rateLimit: RateLimit | undefined;
  readonly log: Pick<Logger, "debug" | "warn">;
  readonly readQuery: ReadQuery;
  /** Lists. */
  readonly cache: Cache<PrintedBody>;
  readonly cacheCounts?: CacheCounts | undefined;
}

/** What a path leads to. */
export interface Route {
  readonly id: AnyOperationId;
  readonly op: Operation;
  /** Methods that it answers, in capitals. */
  readonly methods: readonly string[];
  readonly handler: ErasedHandler;
  /** How large an answer may be, in bytes. */
  readonly answerBytes: number;
  readonly heavyPart: ReturnType<typeof heavyPartOf>;
  /** Whether it takes a session instead of a token. */
  readonly isInConsole?: true;
}

/** A request for an operation, from its route to its answer. */
export interface Call {
  readonly services: Services;
  readonly route: Route;
  readonly req: Request;
  readonly res: Response;
  /** Raw headers of the response. */
  readonly headers: string[];
  readonly now: number;
  /** Scheme and host, as the caller sees them. */
  readonly base: string;
  /** Below /console/api/. */
  readonly session: ReturnType<typeof sessionOf> | undefined;
  /** The token in the head of the request. */
  token: string | undefined;
  /** Whom a token or the cookie stands for; undefined until that is known, and where the operation needs neither. */
  principal: Principal | undefined;
}

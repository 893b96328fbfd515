import type { Page } from "../db/paging.js";
import { recordOf } from "./access-log.js";
import { bodyPairs } from "./body.js";
import { type BodyOptions, readBytes } from "./body-bytes.js";
import type { Call } from "./call.js";
import { formLimit, isFile, withAdvice } from "./file-body.js";
import { type FileText, fileText } from "./file-text.js";
import { largestBody } from "./limits.js";
import type { Values } from "./parameter-checks.js";
import { checkCharacters, type Sent } from "./params.js";
import { type Pair, printForm } from "./query-string.js";

// What a request brings: its body, and the page that it asks for.

interface Body {
  readonly pairs: readonly Pair[];
  readonly encoding?: FileText["encoding"];
}

/** Reads the body of a POST. Only a caller that is known may send a large one. Never settles once the client has gone. */
export async function readBody({ req, res, route, principal }: Call): Promise<Body> {
  const { file } = route.op;
  const owner = principal?.accountId;
  const limit = (known: Pick<BodyOptions, "bytes" | "tooLarge">): BodyOptions =>
    owner === undefined
      ? { ...known, bytes: largestBody.ofStranger, sentence: ofStranger, owner }
      : { ...known, owner };
  if (file === undefined || !isFile(req, file)) {
    const bytes = await readBytes(req, res, limit(formLimit(req, route.op)));
    const pairs = await bodyPairs(req, bytes, route.op).catch((error: unknown) => {
      throw withAdvice(error, route.op);
    });
    checkCharacters(pairs, route.op);
    return { pairs };
  }
  const body = await readBytes(req, res, limit({ bytes: file.bytes, tooLarge: "file_too_large" }));
  if (body.length === 0) return { pairs: [] };
  if (file.isBinary === true) return { pairs: [[file.parameter, body.toString("base64")]] };
  const { text, encoding } = fileText(body, req.headers["content-type"]);
  return { pairs: [[file.parameter, text]], encoding };
}

const ofStranger =
  "Without a token in the head or the query a body may have 64 KiB; send the token as Authorization: Bearer.";

/** Names are not values: a misspelled one is shown to the caller and, at level debug, in the log (rulings R1.11). */
export function reportIgnored({ services, res, headers }: Call, { ignored }: Sent): void {
  if (ignored === undefined) return;
  headers.push("Kalends-Ignored-Parameters", ignored);
  services.log.debug({ request_id: recordOf(res).requestId, ignored }, "parameters ignored");
}

/** Where the list stands: neighbours repeat this request's query with another page (contract 2.2, rulings R3.2). */
export function pageLinks({ req, base, services }: Call, query: readonly Pair[], params: Values): Page {
  const others = query.filter(([name]) => name !== "page");
  return {
    number: Number(params.page ?? 1),
    size: services.pageSize,
    url: (number: number) => `${base}${req.path}?${printForm([...others, ["page", String(number)]])}`,
  };
}

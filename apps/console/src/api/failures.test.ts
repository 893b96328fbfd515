import { expect, test } from "vitest";
import { isRefusal } from "./failures.js";

test("only a refusal says that nothing was done", () => {
  const refusals = [400, 401, 403, 404, 409, 410, 412, 422];
  expect(refusals.filter((status) => !isRefusal({ status }))).toEqual([]);
  const open = [undefined, 200, 302, 429, 500, 502, 503, 504];
  expect(open.filter((status) => isRefusal({ status }))).toEqual([]);
  expect(isRefusal({ status: 409, errorType: "idempotency_in_progress" })).toBe(false);
  expect(isRefusal({ status: 409, errorType: "message_limit_reached" })).toBe(true);
});

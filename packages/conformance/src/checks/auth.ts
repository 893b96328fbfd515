import { wasRefused } from "../engine/kit.js";
import { isWrite } from "../engine/operations.js";
import { withToken, reads, goodParams, target, nothingChanged, wrongTokens, otherCase } from "./error-kit.js";
import { profile } from "../engine/check.js";

const { required } = profile("errors");

export const authChecks = [
  ...withToken.map((operation) =>
    required(
      `auth.no-token.${operation}`,
      ["5.1 token", "1.5 token"],
      `${operation} without a token is refused`,
      async (kit) => {
        await kit.refused(operation, await goodParams(kit, operation), { as: "none" });
        if (isWrite(operation)) await nothingChanged(kit);
      },
      { writes: isWrite(operation) },
    ),
  ),
  required(
    "auth.empty-token",
    "5.1 token",
    "An empty token is refused",
    async (kit) => {
      wasRefused(await kit.call("listCalendars", {}, { as: "none", rawQuery: "token=" }), "listCalendars");
    },
    reads,
  ),
  required(
    "auth.wrong-tokens",
    "5.2 account",
    "Tokens that differ from the account's by a character are refused",
    async (kit) => {
      for (const token of wrongTokens(kit.session.target.token))
        await kit.refused("listCalendars", {}, { as: { token } });
    },
    reads,
  ),
  required(
    "auth.token-case",
    "5.2 account",
    "The case of the token counts",
    async (kit) => {
      const { token } = kit.session.target;
      for (const changed of [otherCase(token), token.toLowerCase(), token.toUpperCase()])
        if (changed !== token) await kit.refused("listCalendars", {}, { as: { token: changed } });
    },
    reads,
  ),
  required("auth.wrong-token-writes-nothing", "5.2 account", "A wrong token deletes nothing", async (kit) => {
    const { calendar, event } = await target(kit);
    const as = { token: `${kit.session.target.token}x` };
    await kit.refused("deleteEvent", { event_id: event }, { as });
    await kit.refused("deleteCalendar", { calendar_id: calendar }, { as });
    await nothingChanged(kit);
  }),
];

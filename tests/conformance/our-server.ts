import type { RunOptions } from "@kalends/conformance";
import { addFollowers, follow, type Follower } from "../../apps/server/test/followers.js";
import { startTestServer } from "../../apps/server/test/harness.js";

const moreThanAPage = 101;

/** Our server with two accounts and a calendar that has more than a page of followers. Its clock is the real one, as of a live server. */
export async function startJudgedServer(
  environment: Readonly<Record<string, string>> = {},
  { later = 0 }: { readonly later?: number } = {},
) {
  const server = await startTestServer(environment, { clock: () => Math.floor(Date.now() / 1_000) + later });
  const [first, other] = [await server.account(), await server.account()];
  const calendarId = await addFollowers(server.db, first);
  const someone = { active: 1, blocked: 0, name: "", city: null };
  for (let more = Number(environment["PAGE_SIZE"] ?? moreThanAPage); more > 0; more--)
    await follow(server.db, first, calendarId, { ...someone, subscribed_at: 1_780_000_000 + more * 50_000 });
  const options: RunOptions = {
    baseUrl: server.url,
    token: first.token,
    otherToken: other.token,
    subscribersCalendar: calendarId,
    seed: 7, // the same random texts each time
    timeoutMs: 60_000, // a busy machine is no fault
  };
  return {
    server,
    first,
    other,
    options,
    follow: (follower: Follower) => follow(server.db, first, calendarId, follower),
    stop: () => server.stop(),
  };
}

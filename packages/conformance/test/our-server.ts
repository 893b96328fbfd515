import { insertSubscriber } from "../../../apps/server/src/subscribers/queries.js";
import { startTestServer } from "../../../apps/server/test/harness.js";
import type { RunOptions } from "../src/index.js";

export interface Follower {
  readonly active: number;
  readonly blocked: number;
  readonly subscribed_at: number;
  readonly name: string;
  readonly city: string | null;
}

/** Our server with two accounts and a calendar that has four followers. Its clock is the real one, as of a live server. */
export async function startJudgedServer(
  environment: Readonly<Record<string, string>> = {},
  { later = 0 }: { readonly later?: number } = {},
) {
  const server = await startTestServer(environment);
  const setClock = (): void => {
    server.now = Math.floor(Date.now() / 1_000) + later;
  };
  setClock();
  const clock = setInterval(setClock, 50);
  const [first, other] = [await server.account(), await server.account()];
  const made = await first.call("createCalendar", { title: "Followed", timezone: "America/New_York" });
  const calendarId = Number(made.body.calendar.id);
  const followers = [
    { active: 1, blocked: 0, subscribed_at: Date.UTC(2026, 5, 15, 12) / 1_000, name: "Ada", city: "London" },
    { active: 0, blocked: 0, subscribed_at: Date.UTC(2026, 4, 20, 12) / 1_000, name: "Bea", city: null },
    { active: 1, blocked: 1, subscribed_at: Date.UTC(2026, 6, 10, 12) / 1_000, name: "Cleo", city: null },
    { active: 1, blocked: 0, subscribed_at: Date.UTC(2026, 5, 10, 12) / 1_000, name: "", city: "Paris" },
  ];
  const follow = (follower: Follower): Promise<unknown> =>
    server.db.transaction((trx) =>
      insertSubscriber(trx, {
        ...follower,
        account_id: first.id,
        calendar_id: calendarId,
        email: follower.name === "" ? "" : `${follower.name.toLowerCase()}@example.com`,
        ip: "203.0.113.7",
        postal: null,
        state: null,
        country: follower.name === "" ? null : "GB",
        calendar_type: "apple",
      }),
    );
  for (const follower of followers) await follow(follower);
  const options: RunOptions = {
    baseUrl: server.url,
    token: first.token,
    otherToken: other.token,
    subscribersCalendar: String(calendarId),
  };
  return {
    server,
    first,
    other,
    options,
    follow,
    stop: async () => {
      clearInterval(clock);
      await server.stop();
    },
  };
}

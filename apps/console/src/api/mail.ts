import { api } from "./client.js";
import { type Loaded, loaded, useLoaded } from "./loading.js";
import { readSession } from "./session.js";

/** Whether the server sends e-mail; false while that is not known. */
export function useMail(): boolean {
  return useLoaded(["session"], readSession).value?.can.mail === true;
}

/** How many followers of these calendars get news by e-mail; none where the server sends no e-mail. */
export function useReceivers(calendarIds: readonly string[]): Loaded<number> {
  return useLoaded(["receivers", ...calendarIds], async () => {
    const { can } = await loaded.fetchQuery({ queryKey: ["session"], queryFn: readSession });
    const counts = can.mail ? calendarIds.map((id) => api.messages.receivers(id)) : [];
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  });
}

import { operations } from "@kalends/spec";
import { test } from "vitest";
import { startReceiver } from "../webhook-receiver.js";
import { attempt, flood, newCalendar, onTarget } from "./attacks.js";
import { expectBounded, expectRestart, measure, passing } from "./measure.js";

// Kinds: starve, hold. Receivers that take as long as they may.

/** Just within WEBHOOK_TIMEOUT_MS. */
const slowMs = 9_700;

test("ten slow receivers of one account do not delay the webhook of another", async (context) => {
  const receivers = await Promise.all(
    Array.from({ length: 10 }, () => startReceiver(() => passing(slowMs).then(() => 204))),
  );
  try {
    await onTarget({ hasWebhook: true }, async (target) => {
      // Of each calendar one message at a time: two make use of all that a receiver may have.
      const calendars = [await newCalendar(target), await newCalendar(target)];
      for (const { url } of receivers) await target.call(operations.createWebhook.path, { url });
      const row = await measure(
        context,
        target,
        "ten receivers that answer after 9.7 s, 40 events",
        async () => {
          const answers = await flood(40, 8, (index) =>
            attempt(target, operations.createEvent.path, {
              calendar_id: calendars[index % 2]?.id ?? "",
              title: `Announced ${index}`,
              start_date: "07/04/2030 10:00",
            }),
          );
          await passing(6_000);
          return answers;
        },
      );
      expectBounded(row);
      await expectRestart(context, target, row);
    });
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
});

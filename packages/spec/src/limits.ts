// Limits that the console names before it sends anything. This module imports nothing: a browser loads no schema with it.

/** Largest calendar file, in bytes (extensions X6.1). */
export const mostFileBytes = 10_000_000;

/** Largest picture, in bytes (extensions X11.2). */
export const mostPictureBytes = 8_000_000;

/** Most events that one request changes, and most copies that one makes. */
export const mostOfBatch = { events: 500, copies: 366 } as const;

/** Longest texts of a message to followers, and of what is said with a change, in characters (extensions X12). */
export const mostOfMessage = { subject: 150, text: 5_000, note: 300 } as const;

/** Most events that a rule makes, and the largest INTERVAL of one (extensions X5.1). */
export const mostOfSeries = { events: 366, interval: 9_999 } as const;

/** What Kalends offers beyond the contract, as far as HTTP shows it: sentences of docs/extensions.md. */
export const extensionClauses = {
  "X1.1 document":
    "The document of the extensions is served at /openapi-kalends.json, apart from the contract's.",
  "X1.2 methods": "Reads are GET (HEAD), writes are POST only: there are no GET writes.",
  "X1.2 same": "Tokens, scopes, envelope, errors and paging fields are those of the contract.",
  "X1.2 bodies":
    "Bodies are a form or JSON; JSON may hold strings, numbers, booleans and, where said, objects.",
  "X1.3 event": "A result holds the event as one shape everywhere.",
  "X1.3 values": "Ids are strings; instants are ISO 8601, wall clocks YYYY-MM-DDTHH:MM beside a zone.",
  "X2.1 replay": "Same key and parameters: the same answer with Idempotency-Replayed; nothing is written.",
  "X2.1 reused": "Same key, other parameters or operation: 422 idempotency_key_reused.",
  "X2.1 key": "Idempotency-Key: 1 to 255 visible ASCII characters, on any write; its scope is the account.",
  "X2.1 refused": "Only answers that were committed are stored; a 4xx is not.",
  "X2.2 match":
    "If-Match on save, update and delete of an event: 412 event_changed when updated_times differs.",
  "X2.3 update": "events/update/ changes only what is sent; empty clears.",
  "X2.3 details": "events/details/ returns one event.",
  "X2.3 calendars": "calendars/update/ and calendars/details/ do the same for a calendar.",
  "X2.4 data": "custom_data: a JSON object up to 4 KB on calendars and events.",
  "X2.4 filters": "List filters custom_data_key and custom_data_value.",
  "X2.5 changes": "events/changes/: created, changed and deleted events in commit order, never skipping one.",
  "X2.5 cursor": "The cursor is opaque, and belongs to its calendar.",
  "X3.1 status": "events/update/ takes status confirmed, tentative or cancelled.",
  "X3.1 lists": "The contract's lists keep listing a cancelled event.",
  "X4.1 webhooks": "Extension operations create, list, delete, rotate, enable and test webhooks.",
  "X4.1 secrets": "Secrets whsec_… are shown once; a rotation makes a new one.",
  "X4.1 types":
    "Types: calendar.created|saved|deleted, event.created|saved|deleted|cancelled, subscriber.created|unfollowed|deleted|blocked|unblocked.",
  "X4.2 deliveries": "A message is stored with each write; its delivery can be listed.",
  "X4.2 again": "Deliveries can be sent again.",
  "X4.3 addresses":
    "Private, loopback, link-local and metadata addresses are refused, and http, unless the server allows them.",
  "X4.3 person": "A person's name and e-mail are only for endpoints created with with_person.",
  "X6.1 import": "calendars/import/ takes text/calendar and creates its events.",
  "X6.1 twice": "Matching is by UID and RECURRENCE-ID: importing the same file twice changes nothing.",
  "X6.1 report": "The report says per event: created, changed, unchanged, skipped and why; a dry run.",
  "X5.1 create":
    "events/series/create/ takes a first event plus rrule, rdate, exdate: it makes ordinary events that share series_id.",
  "X5.2 clock": "Expansion is on the wall clock of the event's zone.",
  "X5.2 refused": "Bad or huge rules are a 400 that says why.",
  "X5.3 update": "events/series/update/ takes scope this, following, all.",
  "X5.3 keeps": "Changed single events keep their change unless the field is in the request.",
  "X5.3 delete": "events/series/delete/ takes scope this, following, all.",
} as const;

/** Sentences of docs/extensions.md that no check holds, with the reason. */
export const openExtensions: readonly (readonly [clause: string, sentence: string, reason: string])[] = [
  ["X2.1", "Answers are kept for 24 hours.", "A run does not last so long."],
  ["X2.5", "A cursor is good for 30 days, then 410 cursor_expired.", "A run does not last so long."],
  ["X3.1", "Feeds say STATUS, pages show it.", "The contract does not say where feeds and pages are."],
  [
    "X4.1",
    "Messages are signed; two secrets are valid during a rotation.",
    "A message goes to an address that the suite would have to be reachable at.",
  ],
  [
    "X4.2",
    "Attempts, their order and their pauses; what disables an endpoint; 30 days.",
    "A message goes to an address that the suite would have to be reachable at.",
  ],
  [
    "X4.3",
    "A name is resolved, checked and connected to as one step.",
    "It would take a name server of the suite.",
  ],
  ["X5.1", "An endless rule is extended daily by a background job.", "A run does not last so long."],
  [
    "X6.1",
    "RRULE, RDATE and EXDATE are expanded; up to 10 MB.",
    "What a rule means is judged by series/create/.",
  ],
];

/**
 * Every sentence of docs/contract.md that can be tested over HTTP, as it stands there: key → sentence. A key starts with the section.
 * The cells of a row have " | " between them.
 */
const sentences = {
  "1.1 base": "Paths on this page start there.",
  "1.2 json": "Requests and responses carry JSON. So do errors.",
  "1.3 codes": "The HTTP status shows whether a call failed.",
  "1.4 encoding": "Values of parameters are percent-encoded.",
  "1.5 token":
    "The query parameter token carries the account's token in every operation except the list of time zones.",
  "1.6 meta": "The body of each response is an object with the member meta, which has the member code.",
  "2.1 code":
    "meta.code | string | Status of the call as a number like those of HTTP; 200 is success. An integer on the list of time zones, a string everywhere else",
  "2.1 paging": "paging | object | In the three paged lists: calendars, events, subscribers.",
  "2.2 previous": 'previous | string | Address of the page before this one, "" on the first page',
  "2.2 next":
    'next | string | Full address of the page after this one: the query of this request with page set. "" on the last page',
  "2.2 page":
    "Paged lists take the parameter page for this. A client reads a list by following next until it is empty.",
  "2.3 strings": "A field is a JSON string if its row does not name another type.",
  "2.3 uniquekey": "uniquekey | string | A short key that no other calendar has; part of its public address",
  "2.3 timezone": "In the responses of list and create, not in that of save",
  "2.3 counters": "followers_total | string | How many followers there are, as digits",
  "2.3 followers": "followers_active | string | How many followers are active, as digits",
  "2.3 events_total": "events_total | string | How many events the calendar has, as digits",
  "2.3 times": "date_modified | integer | When it was last saved",
  "2.3 plain": "That was not intended: values are plain strings.",
  "2.3 deleted": "A deleted calendar is returned as id and status, both strings; status is deleted.",
  "2.4 list": "As the list returns it:",
  "2.4 color-names": "color | color_id",
  "2.4 description": "description | string | Text; a line break is CR LF",
  "2.4 organizer": 'organizer | string | "" when not set',
  "2.4 date": "date_start | string | First day, MM/DD/YYYY",
  "2.4 time": "date_start_time | string | Time of the start, HH:MM:SS, hours 00 to 23",
  "2.4 ampm": "date_start_ampm | string | AM or PM, beside the 24-hour time",
  "2.4 unix": "date_start_unix | integer | The start",
  "2.4 all_day": "all_day_event | string | true or false",
  "2.4 date_format": "date_format | string | How the dates are written: MM/DD/YYYY",
  "2.4 timezone": "timezone | string | Time zone of the event, in which dates and times are shown",
  "2.4 color": "color | string | Number of its colour, 1 to 20",
  "2.4 reminder": "reminder | string | Minutes before the start",
  "2.4 times": "date_create | integer | When it was created",
  "2.4 updated_times":
    "updated_times | string | How often it was saved, as digits: 0 after create, 1 in the response of the first save",
  "2.4 saved": "The responses of create and save have the event under the key event, with these differences:",
  "2.4 saved-id": "id is a string | id is an integer",
  "2.4 no-unix": "date_start_unix, date_end_unix | neither",
  "2.4 deleted": "A deleted event is returned as id and status, both strings; status is deleted.",
  "2.4 count": "The list has, beside the events, calendar with id (a string) and events_count (an integer).",
  "2.5 fields": "A person who follows a calendar.",
  "2.5 null": "postal | string | Postal code, or the four letters null when not known",
  "2.5 date": "date | string | When the person followed, MM/DD/YYYY HH:MM:SS",
  "2.5 flags": "active | string | true or false",
  "2.5 count":
    "The list has, beside the subscribers, calendar with id (a string) and subscribers_count (an integer).",
  "2.5 details":
    "The details of one subscriber have calendar with id alone, and subscribers as an array with one element.",
  "2.6 label": "label | string | Name of the zone, area and city: Asia/Tokyo",
  "2.6 offset": "offset | string | Difference to UTC, HH:MM",
  "3 calendar": "a calendar | delete, with a valid token and calendar_id | it is deleted | status deleted",
  "3 event": "an event | delete, with a valid token and event_id | it is deleted | status deleted",
  "3 saved":
    "an event that was saved n times | save, with a valid token and event_id | it was saved n + 1 times | updated_times n + 1: 1 for the first save",
  "4 query": "Each operation is a path and a query with its parameters; the contract names no method.",
  "4.1 order": "ordered by the last save, newest first",
  "4.1 fields":
    "Returns calendars, an array of calendars (2.3) ordered by the last save, newest first, and paging.",
  "4.2 title": "title | yes | Title",
  "4.2 calendarname": "calendarname | no | Name. Empty: the title",
  "4.2 description": "description | no | Description",
  "4.2 timezone": "timezone | yes | Time zone. Without a value: America/Los_Angeles",
  "4.2 palette_id": "palette_id | no | Colour palette. Empty: the service's default palette",
  "4.2 counters": "Returns calendar (2.3). Its three counters are 0.",
  "4.3 rules": "timezone | yes | As in 4.2, same default",
  "4.3 title": "title | yes | As in 4.2",
  "4.3 calendar_id": "calendar_id | yes | The calendar",
  "4.3 result": "Returns calendar without timezone; date_modified is the time of this save.",
  "4.4 calendar_id": "calendar_id | yes | The calendar",
  "4.4 result": "Returns calendar with id and status, which is deleted.",
  "4.5 calendar_id": "calendar_id | yes | The calendar",
  "4.5 order_by": "order_by | no | date-desc, id-asc or id-desc.",
  "4.5 default": "Without it, the event that was created last comes first",
  "4.5 month": "month | no | Two digits, 01 to 12, together with year: only events of that month",
  "4.5 upcoming": "upcoming | no | now, or a date and time: only events from then on.",
  "4.5 ignored": "order_by has no effect beside it",
  "4.5 forms": "upcoming may be written in four ways:",
  "4.5 result": "Returns calendar (id and events_count), events in the form of the list (2.4), and paging.",
  "4.6 calendar_id": "calendar_id | yes | The calendar",
  "4.6 title": "title | yes | Title",
  "4.6 description": "description | no | Text; \\n is a line break",
  "4.6 text": "location | no | Any text",
  "4.6 timezone": "timezone | no | One of the zones of 4.12. Without it: the zone of the calendar",
  "4.6 color_id":
    "color_id | no | 1 to 20: a colour of the calendar's palette, which has at most 20. Without it: no colour",
  "4.6 reminder": "reminder | no | Minutes, such as 5, 10, 60 or 120",
  "4.6 start_date": "start_date | yes | MM/DD/YYYY HH:MM, then AM or PM or neither",
  "4.6 end_date": "end_date | no | Written in the same way. Without it: one hour after start_date",
  "4.6 all_day": "all_day_event | no | true or false. Without it: false",
  "4.6 result": "Returns event in the form of create and save (2.4); updated_times is 0.",
  "4.7 rules": "end_date | no | As in 4.6, same default",
  "4.7 start_date": "start_date | yes | As in 4.6; mandatory here too",
  "4.7 text": "location | no | As in 4.6",
  "4.7 event_id": "event_id | yes | The event",
  "4.7 title": "title | yes | As in 4.6; mandatory here too",
  "4.7 result": "updated_times is one more than before.",
  "4.7 stays": "There is no calendar_id: an event stays in its calendar.",
  "4.8 event_id": "event_id | yes | The event",
  "4.8 result": "Returns event with id and status, which is deleted.",
  "4.9 list": "Returns calendar (id and subscribers_count), subscribers (2.5) and paging.",
  "4.9 inactive": "/api/v1/calendars/subscribers/list/inactive/ lists the inactive ones alone",
  "4.9 blocked": "/api/v1/calendars/subscribers/list/blocked/ the blocked ones alone.",
  "4.9 calendar_id": "calendar_id | yes | The calendar",
  "4.9 order_by":
    "order_by | no | date-desc, id-asc or id-desc. Without it, the subscriber that was created last comes first",
  "4.9 month": "month | no | As in 4.5, for the time of following",
  "4.10 ids": "subscriber_id | yes | The subscriber",
  "4.10 result": "Returns calendar with id, and subscribers with the one subscriber.",
  "4.12 result":
    "Returns meta, whose code is the integer 200, and data, an array of time zones (2.6) in the order of their names.",
  "4.12 order": "an array of time zones (2.6) in the order of their names.",
  "5.1 token": "The operations 4.1 to 4.10 need the query parameter token.",
  "5.2 account": "The token alone identifies the account.",
  "7.1 errors": "An error is shown by the HTTP status, and its body is JSON.",
  "7.2 success": "meta.code is 200 in the response of a call that succeeded.",
  "8 palette": "Colours of a palette | at most 20",
  "8 color_id": "color_id of an event | 1 to 20",
  "8 month": "month | two digits, 01 to 12",
  "8 year": "year | four digits",
  "9.1 version":
    "The version is in the path: all operations, the list of time zones too, are below /api/v1/.",
} as const;

/** Rulings of ours on what the contract leaves open, as far as HTTP shows them: sentences of docs/rulings.md. Checks of them are `recommended`. */
export const rulings = {
  "R1.1":
    "Every operation answers GET. The six writes (create, save and delete of calendars and of events) answer POST too.",
  "R1.2":
    "HEAD works on reads and returns what GET would, without the body. Every other method is a 405, whose header Allow lists the methods of the path.",
  "R1.3": "A path works with and without its last slash, in the same way and without a redirect.",
  "R1.4": "A parameter of the operation that is given twice is a 400 that names it.",
  "R1.5":
    "An empty parameter is treated as absent: page=, upcoming= and calendarname= have no effect, an empty mandatory parameter is missing.",
  "R1.6": "The body of a POST may have 1 MiB when a token in the head or the query is valid, else 64 KiB",
  "R1.7": "In the query, in the body of a POST, or in the header Authorization: Bearer ….",
  "R1.8":
    "A write whose headers announce a prefetch or a preview (Sec-Purpose, Purpose, X-Purpose, X-Moz) is a 403 and changes nothing.",
  "R1.9": "By default pages of any origin may call the API (CORS), without credentials.",
  "R1.10":
    "/api/v1/me/… is the same as /api/v1/…, and /api/v1/oe/events/… as /api/v1/calendars/events/…, for clients of AddEvent v1",
  "R1.11":
    "The response header Kalends-Ignored-Parameters names the parameters that the operation does not know",
  "R2.1": "The HTTP status and meta.code are the same number.",
  "R2.2": "It has only meta, with these members:",
  "R2.3":
    "The three kinds of 404 of an object differ only in the request id, so that no one learns whether an id exists in another account.",
  "R2.4": "Below /api/ every response is JSON in the envelope.",
  "R2.5": "Responses that needed a token, and errors, have Cache-Control: no-store.",
  "R2.6":
    "An id in the right form that does not exist is a 404. An id in another form (abc, -1, 01, 1.0, with a blank, over 2^53-1) is a 400.",
  "R3.1":
    "A page has 100 items (PAGE_SIZE, 1 to 1000). page counts from 1. Zero, a negative number, a fraction or another text is a 400. A page past the end is empty and has no next.",
  "R3.2": 'previous and next are always there, and "" at the ends of the list.',
  "R3.3":
    "events_count and subscribers_count count what the request's filter matches, on all pages together.",
  "R3.4": "No order leaves two items undecided; equal items are ordered by id, in the same direction.",
  "R3.5":
    "One without the other is a 400. An event is in the month of its start as its own time zone shows it.",
  "R3.6": "Lists events that start at the moment or later, the soonest first.",
  "R3.7": "Another order_by is a 400.",
  "R4.1":
    "Ids are positive decimal numbers up to 2^53-1. They ascend in the order of creation and are never used again.",
  "R4.2": "Everything else is a 400 that lists the accepted forms",
  "R4.3":
    "a local time that does not exist moves forward by the length of the gap, one that occurs twice means the first.",
  "R4.4": "true, false, 1 or 0, in any case. The response has the dates and times that were sent.",
  "R4.5": "The list has the names of tzdata's file zone.tab and Etc/UTC, ordered by code point.",
  "R4.6": "A parameter without a stated default keeps the stored value when absent and clears it when empty",
  "R4.7": "Create and save accept it and use America/Los_Angeles, as for an empty value",
  "R4.8":
    "In the description of an event CR LF, CR, LF and the two characters \\n are line breaks. They are returned as CR LF. Nothing else is changed; HTML is text like any other.",
  "R4.9":
    'color, color_id, reminder, location, organizer, organizer_email and description are "". reminder is 0 to 40320 minutes (28 days).',
  "R4.10": "Another palette_id is a 400.",
  "R4.11":
    "title, calendarname, location and organizer have at most 255 characters, organizer_email 254, description 65,535.",
  "R4.12": "Texts are stored and returned as sent",
  "R5.2": "followers_total counts all followers, followers_active those that are active and not blocked.",
  "R5.4":
    "The plain list has everyone, inactive/ those whose active is false, blocked/ those whose blocked is true.",
  "R5.5":
    "date is in the calendar's time zone. A postal, city or state that is not known is the text null, a country that is not known is ZZ.",
} as const;

/** The rules of docs/extensions.md by which the suite judges; the server's own tests hold the others. */
const extensions = {
  "X1.1": "A running server publishes their document at /openapi-kalends.json",
  "X1.2": "Tokens, scopes, the envelope, errors, limits, paging and CORS are those of the contract.",
} as const;

/** The sentences that checks may cite. */
export const clauses = { ...sentences, ...rulings, ...extensions } as const;

export type ClauseId = keyof typeof clauses;

/** Sentences that no request can test, with the reason. */
export const notTestable: readonly (readonly [clause: string, sentence: string, reason: string])[] = [
  [
    "1.1",
    "Clients reach the service over HTTPS, at one base address.",
    "A property of the deployment; http.observed.https says what was used.",
  ],
  [
    "2.6",
    "How long texts may be is not part of the contract.",
    "Nothing is stated; rulings R4.11 has checks.",
  ],
  ["3", "What sets the flags of a subscriber is not part of the contract.", "Nothing is stated."],
  ["4", "the contract names no method", "Nothing is stated; http.observed.* shows what the server does."],
  ["4.11", "The contract has no other operations.", "An absence of unknown operations cannot be shown."],
  [
    "5.3",
    "How tokens are issued, how long they are valid and what they allow is left open",
    "Nothing is stated.",
  ],
  ["5.4", "Whether the list of time zones needs a token is left open.", "Nothing is stated; it is observed."],
  ["6", "The contract defines no webhooks, callbacks or messages to clients.", "Nothing is stated."],
  [
    "7.3",
    "Which codes exist, when each is sent, and what else the body of an error has, is left open",
    "Nothing is stated; rulings R2 has checks.",
  ],
  ["8", "Left open: items on a page R3.1, requests per minute R6.2", "Nothing is stated; both are observed."],
  ["9.2", "Other versions, compatibility and deprecation are left open", "Nothing is stated."],
];

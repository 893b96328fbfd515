/** The words of the portal and of the pages to print, of which there are more than one file holds. */
export const portalEn = {
  /** The page of all calendars of an account, and the page of one who follows several of them. */
  portal: {
    heading: "What’s on",
    metaDescription: (name: string): string =>
      `The events of ${name}, to look at and to follow in your own calendar app.`,
    allOf: (name: string): string => `All calendars of ${name}`,
    search: "Search for an event or a place",
    find: "Search",
    all: "All",
    found: (count: number): string => (count === 1 ? "1 event found" : `${count} events found`),
    foundMany: "Events found",
    nothingFound: "No event to come matches this.",
    clear: "Show all events",
    none: "Nothing is planned at present.",
    noCalendars: "There is no calendar here yet.",
    follow: "Get it in your calendar",
    followLead:
      "Tick what interests you, then choose your app. You get one personal link for all of it, and can change your choice at any time.",
    which: "Calendars",
    page: "View",
    pageOf: (title: string): string => `View “${title}”`,
    follows: (count: number): string =>
      count === 1 ? "You follow 1 calendar" : `You follow ${count} calendars`,
    followsNone: "You follow no calendar",
    followsNoneNote: "Your feed is empty. Tick calendars below to follow them again.",
    back: "Back to all calendars",
  },
  /** A month, the season and the poster, to print. */
  paper: {
    heading: "On paper",
    month: "Month",
    season: "Season",
    poster: "Poster",
    print: "Print",
    asOf: (date: string): string => `As of ${date}`,
    more: "There are more events. The page of the calendar has them all.",
    scan: "Get it in your calendar",
    scanHow: "Point your phone’s camera at the code. New and changed events then appear by themselves.",
  },
};

import { newsEn } from "./news.js";
import type { App } from "../../followers/agents.js";
import type { FieldName } from "../form-fields.js";
import { portalEn } from "./portal-en.js";

interface AppTexts {
  readonly name: string;
  readonly where: string;
  /** What happens after the button of the follow page. */
  readonly next: string;
  /** What users and vendors report, see docs/following.md. */
  readonly refresh: string;
  /** On the follower's own page, in order. */
  readonly steps: readonly string[];
  /** When the steps do not work. */
  readonly otherwise: string;
}

/** What every language has, since the code looks it up by its key. */
interface LookedUp {
  readonly apps: Readonly<Record<App, AppTexts>>;
  /** What is wrong with a form: its fields by name, with their rules. */
  readonly form: Readonly<Record<FieldName | "title" | "back", string>>;
}

/** The words of all pages in one language: a file of this folder, which views/language.ts lists. */
export type Texts = typeof en;

/** Outlook.com and Microsoft 365 have the same pages. */
const microsoft = {
  next: "Opens Outlook in the browser, where you confirm.",
  refresh: "Updates about every 3 hours, sometimes after a day.",
  steps: ["Open the link below and sign in.", "Look at the name, then choose “Import”."],
  otherwise: "Or copy the link. In Outlook, choose Add calendar, Subscribe from web, and paste it.",
};

/** Names and texts of calendars are never translated. */
export const en = {
  language: "en", // BCP 47
  /** Between a word and what it names. */
  colon: ":",
  apps: {
    apple: {
      name: "Apple Calendar",
      where: "iPhone, Mac",
      next: "Opens Calendar, which asks you to subscribe.",
      refresh: "Updates within about an hour.",
      steps: ["Open the link below.", "Choose “Subscribe”, then “Add” or “OK”."],
      otherwise:
        "If nothing opens, as in some browsers on the iPhone, copy the link. In Calendar, choose Calendars, Add Calendar, Add Subscription Calendar, and paste it.",
    },
    google: {
      name: "Google Calendar",
      where: "on a computer",
      next: "Opens Google in the browser, which asks you to add it.",
      refresh: "Updates every 4 to 18 hours.",
      steps: [
        "Open the link below in a browser, not in the app.",
        "Choose “Add”. Your phone then shows it too.",
      ],
      otherwise:
        "If Google does not find the calendar, copy the link, open “From URL” in Google’s settings, paste it and choose “Add calendar”.",
    },
    outlookcom: {
      name: "Outlook.com",
      where: "personal",
      ...microsoft,
    },
    office365: {
      name: "Microsoft 365",
      where: "work, school",
      ...microsoft,
    },
    outlook: {
      name: "Outlook for Windows",
      where: "classic",
      next: "Opens Outlook, which asks you to subscribe.",
      refresh: "Updates when Outlook starts, then about every hour while it is open.",
      steps: ["Open the link below on the computer that has Outlook.", "Answer “Yes” to Outlook’s question."],
      otherwise:
        "If another program opens, copy the link. In Outlook’s calendar, choose Add calendar, From Internet, and paste it.",
    },
    yahoo: {
      name: "Yahoo Calendar",
      where: "web",
      next: "You copy a link and paste it into Yahoo.",
      refresh: "Yahoo does not say how often it updates.",
      steps: [
        "Copy the link to your feed.",
        "Open Yahoo Calendar on a computer.",
        "Beside “Others”, choose “Follow other calendars”.",
        "Paste the link, give it a name, and continue.",
      ],
      otherwise:
        "Yahoo’s app for phones cannot add a calendar by its link; it shows what you added on the web.",
    },
    ical: {
      name: "Another app",
      where: "Thunderbird and others",
      next: "You copy a link and paste it into your app.",
      refresh: "Updates every half hour to every 16 hours, depending on the app.",
      steps: [
        "Copy the link to your feed.",
        "In your app, look for “Subscribe to calendar”, “Add from URL” or “On the network”.",
        "Paste the link.",
      ],
      otherwise: "If your device has an app that opens calendar links, use this one.",
    },
  },
  follow: {
    pageTitle: (title: string) => `${title} · Follow this calendar`,
    metaDescription: (title: string) => `Follow “${title}” to see its events in your own calendar app.`,
    followers: (count: number, shown: string) => {
      if (count === 0) return "No followers yet. Be the first.";
      return count === 1 ? "1 person follows" : `${shown} people follow`;
    },
    heading: "Follow this calendar",
    lead: "New and changed events then appear in your calendar by themselves. You get a personal page where you can stop at any time.",
    /** The one button for the app of this device. */
    add: "Add to my calendar",
    moreApps: "Other apps",
    some: "Only some events",
    aboutYou: "Name and e-mail (optional)",
    aboutYouWhy: "They show the owner of this calendar who follows it. You will not receive any e-mail.",
    name: "Your name",
    email: "Your e-mail address",
    kept: "The owner sees when you followed and with which app. If this service stores them, the owner also sees your IP address and its location. You can delete all of this yourself.",
    readMore: "Read more",
    /** Over the one event that is next. */
    upNext: "Next",
    next: "Next events",
    noNext: "Nothing is planned at present. Follow the calendar to get new events in your app.",
    zone: (zone: string) => `Time zone: ${zone}`,
    organizer: "Organizer",
    month: "Month",
    previousMonth: (month: string) => `Previous month, ${month}`,
    nextMonth: (month: string) => `Next month, ${month}`,
    thisMonth: "Today",
    today: "today",
    allDay: "All day",
    /** Stands before the title of an event that does not take place, or may not. */
    status: { cancelled: "Cancelled", tentative: "Tentative" },
    eventsOnDay: (count: number) => (count === 1 ? "1 event" : `${count} events`),
    /** After the events of a day: how many of them do not take place, or may not. */
    statusOnDay: {
      cancelled: (count: number) => `${count} cancelled`,
      tentative: (count: number) => `${count} tentative`,
    },
    allOfMonth: "All events of this month",
    noEvents: "No events this month.",
    moreEvents: (date: string) => `More events, from ${date}`,
    feedOmits: (omitted: string) => `This calendar is too large for one feed, which omits ${omitted}.`,
    feedOmitted: { past: "its oldest past events", upcoming: "its most distant events" },
    share: "Share this calendar",
    otherDevice: "On another device",
    otherDeviceHow: "Point its camera at the code to open this page there.",
    qrCode: "QR code of the link to this page",
    otherWays: "Without following",
    download: "Download the events",
    downloadNote: "A copy that will not update.",
    anonymous: "Subscribe anonymously",
    anonymousNote:
      "This link stores nothing about you, and you are not counted as a follower. It updates like the others.",
    address: "Anonymous link to the calendar",
    copy: "Copy",
    copied: "Copied",
    embed: "Put this calendar on your site",
  },
  foot: {
    website: "Website",
    imprint: "Imprint",
    privacy: "Privacy",
    poweredBy: "Powered by Kalends, open-source software for calendars that people follow",
  },
  share: {
    now: "Share",
    mail: "E-mail",
    address: "Link to this page",
  },
  follower: {
    pageTitle: (title: string) => `You follow ${title}`,
    heading: "You follow this calendar",
    keep: "This page is for you alone. Save its link and do not share it: anyone who has it can read your feed and end your subscription.",
    open: (app: string) => `Open ${app}`,
    openOther: "Open your calendar app",
    add: (app: string) => `Add it to ${app}`,
    addOther: "Add it to your calendar app",
    addByUrl: "Open “From URL” in Google’s settings",
    openYahoo: "Open Yahoo Calendar",
    address: "Link to your feed",
    otherApps: "Use another app",
    renew: "Change the link",
    renewNote:
      "Replace the link if someone else knows it. The old one stops working at once. Then add the new one to your app.",
    renewButton: "Change the link",
    stop: "Stop following",
    stopNote:
      "Your feed becomes empty, so the events disappear from your app at its next update. The owner can still see that you followed.",
    stopButton: "Stop following",
    erase: "Delete my data",
    eraseNote:
      "Deletes everything stored about you here: name, e-mail address, IP address and times. Your feed and this page stop working at once. Then remove the calendar from your app.",
    eraseConfirm: "Are you sure? This cannot be undone.",
    eraseButton: "Delete my data for good",
    stopped: "You no longer follow this calendar",
    stoppedNote: "Your feed is empty now. Remove the calendar from your app if it still shows there.",
    again: "Follow again",
    erased: "Your data is deleted. Remove the calendar from your app if it still shows there.",
    empty: "Your feed has no events at present.",
    backToCalendar: "Back to the calendar",
    backToPage: "Back to your page",
  },
  ...portalEn,
  home: {
    version: (version: string) => `Version ${version}`,
    lead: "This server hosts calendars that people follow in their own calendar app.",
    followers: "Follow a calendar",
    link: "Link of the calendar",
    open: "Open",
    wrongLink:
      "This is not a link of a calendar. Copy the whole link that its owner gave you; it contains “/c/”.",
    calendars: "Calendars that everyone may find",
    organizers: "For organizers",
    console: "Keep calendars in the browser: events, followers, and who may help.",
    signIn: "Sign in",
    developers: "For developers",
    reference: "API reference",
    documents: "OpenAPI documents",
    source: "Source code",
    back: "Go to the start page",
  },
  embed: {
    pageTitle: (title: string) => `${title} · For your site`,
    heading: "This calendar on your site",
    lead: "Copy one of these boxes and paste it into your site. It is always up to date, sets no cookies and does not track your visitors.",
    /** Over the steps, and the names of website builders with what their editors call the element for HTML. */
    where: "How it works",
    steps: [
      "Choose what you like below, and press Copy.",
      "Open your site in its editor, and add the element in this table.",
      "Paste, save, done. You never have to touch it again.",
    ],
    builders: [
      ["WordPress", "+ → “Custom HTML”"],
      ["Wix", "+ → Embed Code → “Embed HTML”"],
      ["Jimdo", "+ → “Widget / HTML”"],
      ["Squarespace", "+ → “Code” or “Embed”"],
      ["Others", "Look for “HTML”, “Embed”, “Widget” or “iframe”"],
    ],
    list: {
      heading: "The next events",
      note: "A list that fits any site. Each event opens on its own page.",
    },
    month: { heading: "The whole month", note: "A month to leaf through, with its events below." },
    linkOnly: "My site wants a link, not code",
    height: "Always the right height",
    heightNote:
      "Some builders also allow scripts. If yours does, paste this once on the same page: the boxes then become as high as they need to be. Without it they scroll.",
    component: "A button",
    componentNote:
      "Leads to the page where people follow this calendar. It shows light or dark as your site does, and in its language. Needs a builder that allows scripts.",
    link: "A link",
    linkNote: "The same without a script: it works wherever you can paste HTML, in newsletters too.",
    preview: "Preview",
    code: "Code to copy",
    button: (title: string) => `Follow “${title}”`,
  },
  event: {
    pageTitle: (title: string, calendar: string) => `${title} · ${calendar}`,
    cancelled: "This event is cancelled. It does not take place.",
    tentative: "This event is not certain yet.",
    draft: "This is a draft. Only who has this link sees it, and its owner may still change it.",
    when: "When",
    where: "Where",
    map: "Map",
    url: "More about this event",
    add: "Add this event to your calendar",
    addNote: "A copy that will not update. To see changes too, follow the calendar.",
    /** The link to the file, for every app without a link of its own. */
    file: "Apple Calendar and other apps",
    follow: "Follow the whole calendar",
    followNote: "Its events appear in your calendar app, and so do changes.",
    share: "Share this event",
    /** Leads to the page, from the list of the calendar's page. */
    open: "Add to your calendar, share",
    /** Before the other dates of a series. */
    also: "Also on",
    /** After some of them: how many dates of the next year follow; undefined when they are not counted. */
    alsoMore: (count: number | undefined) => (count === undefined ? "and more" : `and ${count} more`),
    /** As `open`, of an event that does not take place. */
    openCancelled: "Page of this event",
    deleted: {
      title: "This event was deleted",
      text: "Its owner removed it. If you added it to your calendar by hand, remove it there too.",
    },
  },
  embedList: {
    heading: "A list in the look of your site",
    note: (kB: number) =>
      `A web component of ${kB} kB. Each event leads to its page here. It takes the font and the colour of your site and the language of your page; limit sets how many events it shows, from 1 to 50.`,
    height: "So that nothing moves while it loads, add this to your stylesheet, with your limit:",
  },
  /** What people read whose Google Calendar runs on Android, where it cannot add a calendar by its address. */
  android: {
    next: "Needs a computer once: on Android, Google cannot subscribe to a calendar. Then your phone shows it too.",
    instead: "Without a computer: subscribe with another app, such as ICSx⁵, or add single events to Google.",
    heading: "Google on Android needs a computer once",
    why: "Google’s app cannot subscribe to a calendar, and its link fails on phones and tablets with Android. Any of these works:",
    steps: [
      "Send yourself the link to your feed, and open calendar.google.com on a computer with the same Google account.",
      "Beside “Other calendars” choose +, then “From URL”, paste the link and choose “Add calendar”.",
      "Your phone shows it after a while. If not, turn on Sync for it in the app’s settings.",
    ],
    otherApp:
      "Or install an app that subscribes on the phone itself, such as ICSx⁵, then open it with this link. Your calendar app shows the events.",
    openOther: "Open another app",
    single: "Or add single events: each has a page with a button for Google. They will not update.",
    openEvents: "See the events",
  },
  categories: {
    label: "Categories",
    which: "Which events?",
    note: "An event comes if one of its categories is ticked, and always if it has none. With every box ticked, categories that are added later come too.",
    heading: "What you follow",
    save: "Save",
    saved: "Saved. Your app shows it at its next update.",
  },
  news: newsEn,
  form: {
    title: "Please check the form",
    app: "App: choose one of the buttons.",
    name: "Name: at most 255 characters, on one line.",
    email: "E-mail: an address such as ada@example.com, at most 254 characters.",
    calendars: "Calendars: tick at least one.",
    back: "Back to the calendar",
  },
  errors: {
    400: {
      title: "This link is not valid",
      text: "Part of it cannot be read. Check the link, then try again.",
    },
    403: {
      title: "Not accepted",
      text: "This form can only be sent from its own page. Go back, reload the page, and try again.",
    },
    404: { title: "Page not found", text: "The link may be mistyped, or the page was removed." },
    405: {
      title: "This does not work here",
      text: "This link cannot be opened directly. Go back and use the buttons on the page.",
    },
    410: {
      title: "This calendar was deleted",
      text: "Its owner deleted it. You can remove it from your calendar app.",
    },
    429: {
      title: "Please try again in a minute",
      text: "There are too many requests at the moment. Please wait a minute, then try again.",
    },
    500: { title: "Something went wrong", text: "The error is on our side. Try again later." },
    503: { title: "Temporarily unavailable", text: "The service is busy. Try again in a few seconds." },
    507: {
      title: "No space left",
      text: "The service has run out of storage, so nothing was changed. Try again later.",
    },
  },
  requestId: "Request ID",
} satisfies LookedUp & Record<string, unknown>;

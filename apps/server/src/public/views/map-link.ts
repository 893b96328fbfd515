/** Returns the link to the map of a place; undefined for none, for a meeting on the web, and where there is no map. */
export function mapLink(mapUrl: string | false, location: string): string | undefined {
  const place = location.replaceAll(/\s+/g, " ").trim();
  if (mapUrl === false || place === "" || /https?:\/\//i.test(place)) return undefined;
  return mapUrl + encodeURIComponent(place.toWellFormed());
}

import type { Call } from "./state.js";

interface Paging {
  readonly previous: string | null;
  readonly next: string;
}

/** One page of a list and its neighbours (service.md 2.2, rulings R3.1, R3.2). */
export function paged<Item>(items: readonly Item[], call: Call): { page: readonly Item[]; paging: Paging } {
  const { faulty, pageSize, pageUrl } = call;
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  let page = Number(call.params["page"] ?? "1");
  if (faulty("K39")) page = 1;
  if (faulty("K51")) page = Math.min(page, pages);
  const isLast = page * pageSize >= items.length;
  let start = (page - 1) * pageSize;
  if (faulty("M13") && page === 2) start -= 1;
  let end = page * pageSize;
  if (faulty("M14") && page > 1 && isLast) end = items.length - 1;
  const first = faulty("M11") ? null : "";
  const hasPrevious = page > (faulty("K59") ? 2 : 1);
  return {
    page: items.slice(start, end),
    paging: { previous: hasPrevious ? pageUrl(page - 1) : first, next: isLast ? "" : pageUrl(page + 1) },
  };
}

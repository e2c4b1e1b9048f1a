// Values out of other programs' files, read leniently: what is not of the expected kind is null, and whoever asked decides
// whether that is news. Pure.

export type Json = { [key: string]: unknown };

/** Null for text that is no JSON object: half-written or foreign. The caller counts it or tries again. */
export function parseObject(text: string): Json | null {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return null;
  }
}

export function objectOf(value: unknown): Json | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

/** The objects of a list; anything else in it, or no list at all, is left out. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf).filter((one) => one !== null) : [];
}

export function stringOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Trimmed; null when nothing is left. */
export function nonBlank(value: unknown): string | null {
  const text = stringOf(value)?.trim();
  return text ? text : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Epoch milliseconds of an ISO 8601 text. */
export function timeOf(value: unknown): number | null {
  const atMs = Date.parse(stringOf(value) ?? "");
  return Number.isNaN(atMs) ? null : atMs;
}

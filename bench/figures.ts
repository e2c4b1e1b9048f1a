// A measured figure beside its limit of the same run, and how figures become a table.

export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** What physics or a plain program allows on this machine, measured in the same run. */
  limit?: { name: string; value: number };
  /** What we want, in the unit of the value, or as a ratio to the limit. */
  aim?: { atMost: number } | { atLeast: number } | { ratioAtLeast: number };
  note?: string;
}

export function percentile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function summarize(samples: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = [...samples].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: sorted.at(-1) ?? Number.NaN };
}

export function isMet(figure: Figure): boolean | null {
  const { aim, value, limit } = figure;
  if (!aim) return null;
  if ("atMost" in aim) return value <= aim.atMost;
  if ("atLeast" in aim) return value >= aim.atLeast;
  return limit ? value / limit.value >= aim.ratioAtLeast : null;
}

export function formatTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const met = isMet(figure);
    return [
      figure.name,
      `${format(figure.value)} ${figure.unit}`,
      figure.limit ? `${format(figure.limit.value)} ${figure.unit} (${figure.limit.name})` : "",
      figure.limit ? (figure.value / figure.limit.value).toFixed(2) : "",
      describeAim(figure),
      met === null ? "" : met ? "yes" : "**no**",
      figure.note ?? "",
    ];
  });
  const header = ["figure", "measured", "limit in the same run", "ratio", "aim", "met", "note"];
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function describeAim({ aim, unit }: Figure): string {
  if (!aim) return "";
  if ("atMost" in aim) return `≤ ${format(aim.atMost)} ${unit}`;
  if ("atLeast" in aim) return `≥ ${format(aim.atLeast)} ${unit}`;
  return `≥ ${aim.ratioAtLeast} of the limit`;
}

function format(value: number): string {
  if (!Number.isFinite(value)) return "—";
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

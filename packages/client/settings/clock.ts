// Minutes of the day as a field for times writes them. Pure.
export function timeOfMinute(minute: number): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Null while a field is half filled in. */
export function minuteOfTime(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** The service's own time: the machine's, unless control stops it (for tests of what happens within one minute). */
export class Clock {
  #fixed: Date | undefined;

  now(): Date {
    return this.#fixed ?? new Date();
  }

  /** The current time as the service writes a date/time: `yyyy-MM-ddTHH:mm`, in the machine's time zone. */
  minute(): string {
    return formatMinute(this.now());
  }

  /** Stops the clock at a time; with `undefined`, the clock follows the machine again. */
  stopAt(time: Date | undefined): void {
    this.#fixed = time;
  }
}

/** A time as the service writes a date/time (interface.md, "Value formats"). */
export function formatMinute(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(time.getFullYear()).padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

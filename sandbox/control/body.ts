/** A control call that cannot be done. It is answered with 400 and this message. */
export class ControlError extends Error {}

/**
 * The body of a control call, which must be a JSON object.
 * @throws {@link ControlError}
 */
export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new ControlError('The body must be a JSON object');
}

/**
 * A text or number as text; the fallback if there is none.
 * @throws {@link ControlError} for anything else
 */
export function textOr(value: unknown, fallback: string): string {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new ControlError('A text was expected');
}

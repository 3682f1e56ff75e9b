/**
 * Numbers of refusals. The shape of a failed answer is known (`errorno`, `errormessage` with a severity and a code,
 * `errmsgadd` with the part at fault). Only three of the numbers are known; the sandbox invents the others
 * (docs/dev/sandbox.md).
 */
export const refusals = {
  internal: -1,
  /** Known from public clients: no data matches. */
  noMatchingData: -110,
  unknownAction: -120,
  missingParameter: -121,
  invalidParameter: -122,
  malformedBody: -123,
  tooLarge: -124,
  wrongMethod: -125,
  wrongContentType: -126,
  badKey: -200,
  underMaintenance: -10005,
  stopped: -10006,
  unknownApplication: -10007,
  /** Known from public clients: no right to access the application. */
  noRightToApplication: -10008,
  unknownRecord: -10021,
  noRightToRecord: -10022,
  revisionConflict: -10030,
  /** Known from public clients: `fields` names a part that does not exist. */
  unknownField: -8_000_360,
  unknownPart: -10040,
  partNotWritable: -10041,
  invalidValue: -10042,
  unknownRow: -10043,
  unknownFile: -10050,
  undeletable: -10060,
} as const;

export type Refusal = keyof typeof refusals;

/** A call that the service refuses. It becomes an `ng` answer (interface.md, "Errors"). */
export class ServiceError extends Error {
  readonly refusal: Refusal;
  /** Key of the part at fault; sent as `errmsgadd`, in double braces. */
  readonly partKey: string | undefined;

  constructor(refusal: Refusal, text: string, partKey?: string) {
    super(text);
    this.refusal = refusal;
    this.partKey = partKey;
  }
}

/** A refusal about a parameter. @param what follows its name in the sentence */
export function wrongParameter(
  name: string,
  what: string,
  refusal: Refusal = 'invalidParameter',
  partKey?: string,
): ServiceError {
  return new ServiceError(refusal, `The parameter ${name} ${what}`, partKey);
}

/** A refusal about the value of a part. @param what follows its key in the sentence */
export function wrongPart(key: string, what: string, refusal: Refusal = 'invalidValue'): ServiceError {
  return new ServiceError(refusal, `The part {{${key}}} ${what}`, key);
}

/** The body of a refused call. */
export function refusalBody(error: ServiceError): Record<string, unknown> {
  return failureBody(refusals[error.refusal], error.message, error.partKey);
}

/** An `ng` body with any number; a fault can ask for it, too. */
export function failureBody(errorno: number, text: string, partKey?: string): Record<string, unknown> {
  return {
    status: 'ng',
    errorno,
    errormessage: `W:${text} [W${Math.abs(errorno)}]`,
    errmsgadd: partKey === undefined ? '' : `{{${partKey}}}`,
  };
}

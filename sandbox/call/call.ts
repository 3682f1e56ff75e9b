import { wrongParameter } from './refusals.ts';
import { InvalidValue } from '../parts/kind.ts';
import type { StoredFile } from '../parts/part.ts';
import type { User } from '../storage/people.ts';

/** A file that arrived with a call. It is already stored, but belongs to nothing yet. */
export interface UploadedFile {
  /** The form field's name. */
  readonly field: string;
  readonly file: StoredFile;
}

/** The parameters of a call, in the order they were sent. */
export class Parameters {
  readonly #entries: readonly (readonly [name: string, value: string])[];

  constructor(entries: Iterable<readonly [string, string]>) {
    this.#entries = [...entries];
  }

  entries(): readonly (readonly [string, string])[] {
    return this.#entries;
  }

  /** The value; the last one of a repeated parameter. Undefined if it was not sent. */
  get(name: string): string | undefined {
    return this.#entries.findLast(([key]) => key === name)?.[1];
  }

  all(name: string): string[] {
    return this.#entries.filter(([key]) => key === name).map(([, value]) => value);
  }

  /** @throws {@link ServiceError} when it is missing or empty. */
  required(name: string): string {
    const value = this.get(name);
    if (value !== undefined && value !== '') return value;
    throw wrongParameter(name, 'is missing', 'missingParameter');
  }

  /** An integer, 0 or more. */
  integer(name: string, fallback: number): number {
    const value = this.get(name);
    if (value === undefined || value === '') return fallback;
    if (/^\d{1,15}$/.test(value)) return Number(value);
    throw wrongParameter(name, `must be an integer, 0 or more, not "${value}"`);
  }

  oneOf<V extends string>(name: string, values: readonly V[], fallback: V): V {
    const value = this.get(name);
    if (value === undefined || value === '') return fallback;
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    throw wrongParameter(name, `is one of ${values.join(', ')}, not "${value}"`);
  }

  /** A parameter that is JSON text; undefined when it was not sent. */
  json(name: string): unknown {
    const value = this.get(name);
    return value === undefined || value === '' ? undefined : parseJson(name, value);
  }
}

/** @throws {@link ServiceError} naming the parameter when the text is not JSON. */
export function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongParameter(name, 'is not JSON');
  }
}

/** Runs a check and adds to its error which parameter is wrong. */
export function checked<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof InvalidValue) {
      throw wrongParameter(name, `is wrong: it ${error.message}`);
    }
    throw error;
  }
}

/** One call of the service. */
export interface Call {
  readonly action: string;
  readonly parameters: Parameters;
  readonly files: readonly UploadedFile[];
  readonly user: User;
  /** Address of the folder with the modules, as the caller reached it. */
  readonly baseUrl: string;
}

import { ServiceError, wrongParameter, wrongPart } from '../../call/refusals.ts';
import { isComputed, type Part } from '../../parts/part.ts';
import type { Dialect } from '../../settings/switches.ts';
import type { Application } from '../../storage/applications.ts';
import type { User } from '../../storage/people.ts';
import { partByKey } from '../read/keys.ts';
import { Access } from '../read/rights.ts';

/** What a parameter of insert_data or update_data refers to. */
export interface Target {
  readonly part: Part;
  readonly key: string;
  /** Row of a table part. */
  readonly row?: { readonly table: Part; readonly index: number };
  /** `.del_attachment_id` */
  readonly removal: boolean;
}

/** `{{part}}`, `{{table}}0.{{part}}`, either with `.del_attachment_id`. */
const partParameter = /^\{\{(.+?)\}\}(?:(\d{1,6})\.\{\{(.+?)\}\})?(\.del_attachment_id)?$/su;

/** Finds the parts that the parameters of a call write. */
export class Targets {
  readonly #application: Application;
  readonly #isUpdate: boolean;
  readonly #dialect: Dialect;
  readonly #byIdentifier: boolean;
  readonly #access: Access;

  constructor(application: Application, user: User, dialect: Dialect, isUpdate: boolean) {
    this.#application = application;
    this.#isUpdate = isUpdate;
    this.#dialect = dialect;
    this.#byIdentifier = application.partIdentifierMode;
    this.#access = new Access(user, application);
  }

  /**
   * The part that a parameter names; undefined to ignore the parameter.
   * @throws {@link ServiceError} if it cannot be written
   */
  find(name: string): Target | undefined {
    const match = partParameter.exec(name);
    if (!match) throw wrongParameter(name, 'cannot be read');
    const [, key = '', row, childKey, removal] = match;
    const part = this.writable(this.#application.parts, key);
    if (!part) return undefined;
    if (row === undefined || childKey === undefined) {
      return this.#checkedTarget(name, { part, key, removal: removal !== undefined });
    }
    if (part.type !== 'input_list') {
      throw wrongParameter(name, 'names no table part', 'invalidParameter', key);
    }
    const child = this.writable(part.children, childKey);
    if (!child) return undefined;
    const place = { table: part, index: Number(row) };
    return this.#checkedTarget(name, {
      part: child,
      key: childKey,
      row: place,
      removal: removal !== undefined,
    });
  }

  #checkedTarget(name: string, target: Target): Target {
    if (!target.removal) return target;
    if (target.part.type !== 'files') {
      throw wrongParameter(name, 'names no attachment part', 'invalidParameter', target.key);
    }
    if (this.#isUpdate) return target;
    throw wrongParameter(name, 'is for update_data only', 'invalidParameter', target.key);
  }

  /**
   * The writable part with a key; undefined to ignore the key.
   * @throws {@link ServiceError} unless the dialect ignores keys that cannot be written
   */
  writable(parts: readonly Part[], key: string): Part | undefined {
    const part = partByKey(parts, key, this.#byIdentifier);
    if (!part) {
      if (this.#dialect.unknownPart === 'ignored') return undefined;
      throw new ServiceError('unknownPart', `There is no part {{${key}}}`, key);
    }
    if (this.#access.part(part) !== 'write') {
      throw new ServiceError('partNotWritable', `You have no right to change the part {{${key}}}`, key);
    }
    if (isComputed(part) || part.readonly) {
      throw wrongPart(key, 'cannot be written', 'partNotWritable');
    }
    return part;
  }
}

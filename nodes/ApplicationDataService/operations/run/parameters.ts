import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';

import { isObject } from '../../parts/values/shapes';

/**
 * Reads the node's parameters. One without an expression is the same for every item, and reading it costs more than
 * looking it up: it is read once.
 */
export class Parameters {
  private readonly fixed = new Map<string, unknown>();
  private readonly made = new Map<object, unknown>();

  constructor(private readonly context: IExecuteFunctions) {}

  /** The value as saved, or as its expressions return it for this item. `fallback` if the workflow has none. */
  get(name: string, itemIndex: number, fallback?: unknown): unknown {
    if (this.fixed.has(name)) return this.fixed.get(name);
    const saved = this.saved(name);
    const value: unknown =
      isObject(saved) && isObject(saved.value) && Object.values(saved.value).some(isEmptyExpression)
        ? this.withoutEmpty(saved, itemIndex)
        : this.context.getNodeParameter(name, itemIndex, fallback as NodeParameterValueType | undefined);
    if (!this.hasExpression(name)) this.fixed.set(name, value);
    return value;
  }

  /**
   * A value derived from parameters, computed only once if they are the same for every item. Each item gets its own
   * failure.
   * @param by identifies the derived value: the same object for each item, a different one for each derived value.
   */
  derived<T>(names: readonly string[], by: object, make: () => T): T {
    if (this.made.has(by)) return this.made.get(by) as T;
    const value = make();
    if (names.every((name) => this.fixed.has(name))) this.made.set(by, value);
    return value;
  }

  /** n8n refuses all of a mapping if one field holds an expression with nothing in it. */
  private withoutEmpty(saved: unknown, itemIndex: number): unknown {
    if (isEmptyExpression(saved)) return '';
    if (typeof saved === 'string' && saved.startsWith('='))
      return this.context.evaluateExpression(saved.slice(1), itemIndex);
    if (Array.isArray(saved)) return saved.map((each) => this.withoutEmpty(each, itemIndex));
    if (!isObject(saved)) return saved;
    const entries = Object.entries(saved).map(([key, each]) => [key, this.withoutEmpty(each, itemIndex)]);
    return Object.fromEntries(entries) as unknown;
  }

  /** The parameter as the workflow holds it: with expressions, not what they return. */
  saved(name: string): unknown {
    return this.context.getNode().parameters[name];
  }

  /** Whether the parameter can differ from item to item. */
  hasExpression(name: string): boolean {
    return containsExpression(this.saved(name));
  }
}

/** Whether a saved value is an expression with nothing in it. */
export function isEmptyExpression(saved: unknown): boolean {
  return typeof saved === 'string' && /^=\s*(\{\{\s*\}\}\s*)?$/.test(saved);
}

function containsExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('=');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(containsExpression);
}

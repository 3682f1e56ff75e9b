import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

export type Saved = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Saved =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The problems of saved parameters. There are none if the registry has each parameter and each choice. */
export function problems(saved: Saved, properties: readonly INodeProperties[], path = ''): string[] {
  return Object.entries(saved).flatMap(([name, value]) => {
    const property = properties.find((each) => each.name === name);
    if (property === undefined) return [`${path}${name}: there is no such parameter`];
    const { type, options = [], typeOptions } = property;
    const place = `${path}${name}.`;
    if (type === 'collection')
      return isObject(value) ? problems(value, options as INodeProperties[], place) : [place];
    if (type === 'fixedCollection') return groupProblems(value, options as INodePropertyCollection[], place);
    // The values of an expression, or of a loaded list, are not known here.
    if (type !== 'options' || typeOptions?.loadOptionsMethod !== undefined) return [];
    const choices = (options as INodePropertyOptions[]).map((choice) => choice.value);
    return choices.includes(value as string)
      ? []
      : [`${path}${name}: there is no choice ${JSON.stringify(value)}`];
  });
}

function groupProblems(value: unknown, groups: readonly INodePropertyCollection[], place: string): string[] {
  if (!isObject(value)) return [place];
  return Object.entries(value).flatMap(([name, entries]) => {
    const group = groups.find((each) => each.name === name);
    if (group === undefined) return [`${place}${name}: there is no such group`];
    return [entries]
      .flat()
      .filter(isObject)
      .flatMap((entry) => problems(entry, group.values, `${place}${name}.`));
  });
}

import { calculate, CalculationError } from '../records/write/formula.ts';
import { partTypes, type Part, type SystemRole } from '../parts/part.ts';
import { applicationStatuses, type Application } from '../storage/applications.ts';
import { labels } from '../storage/labels.ts';
import type { Storage } from '../storage/storage.ts';
import { rowIdPart } from '../records/read/reader.ts';
import { DefinitionError, type ApplicationDefinition, type PartDefinition } from './definition.ts';
import { linkParts, named } from './link.ts';

/** The five system parts of every application (service facts, "System parts"). */
const systemParts: readonly (readonly [id: number, role: SystemRole, name: string, type: Part['type']])[] = [
  [1, 'id', 'ID', 'id'],
  [2, 'createdAt', 'Created at', 'datetime'],
  [3, 'createdBy', 'Created by', 'user'],
  [4, 'updatedAt', 'Updated at', 'datetime'],
  [5, 'updatedBy', 'Updated by', 'user'],
];

const firstPartId = 101;

/**
 * Creates an application from a definition. It is not stored yet.
 * @throws {@link DefinitionError}
 */
export function buildApplication(definition: ApplicationDefinition, storage: Storage): Application {
  const application: Application = {
    id: storage.applications.nextId(),
    name: definition.name,
    identifier: definition.identifier ?? '',
    status: definition.status ?? 'running',
    overview: definition.overview ?? '',
    creator: definition.creator ?? storage.people.users()[0]?.id ?? '',
    labels: (definition.labels ?? []).map((name) => labelId(name)),
    favorites: [...(definition.favorites ?? [])],
    partIdentifierMode: definition.partIdentifierMode ?? false,
    keywordParts: [],
    parts: [],
    automatic: [],
    nextPart: firstPartId,
  };
  checkApplication(application, storage);
  const system = buildSystemParts(definition);
  const own = definition.parts.map((part) => buildPart(part, application));
  application.parts = [...system, ...own];
  linkParts(definition.parts, application, storage);
  application.keywordParts = (definition.keywordParts ?? []).map((name) => named(application, name).id);
  application.automatic = (definition.automatic ?? []).map(({ on, part, value }) => ({
    on,
    part: named(application, part).id,
    value,
  }));
  return application;
}

function checkApplication({ name, identifier, status }: Application, storage: Storage): void {
  if (typeof name !== 'string' || name === '') throw new DefinitionError('An application needs a name');
  if (!applicationStatuses.includes(status)) {
    throw new DefinitionError(`"status" must be one of: ${applicationStatuses.join(', ')}`);
  }
  if (identifier !== '' && storage.applications.find(`@${identifier}`)) {
    throw new DefinitionError(`Another application already has the identifier "${identifier}"`);
  }
}

/** @throws {@link DefinitionError} */
export function labelId(name: string): number {
  const label = labels.find((one) => one.name === name);
  if (label) return label.id;
  throw new DefinitionError(`There is no label "${name}"`);
}

function buildSystemParts({ systemIdentifiers }: ApplicationDefinition): Part[] {
  return systemParts.map(([id, system, name, type]) => ({
    id,
    system,
    name,
    identifier: systemIdentifiers?.[system] ?? '',
    type,
    readonly: true,
    required: false,
    options: [],
    allowOther: false,
    children: [],
  }));
}

/** Creates one part with its children. {@link linkParts} adds everything that refers to other parts. */
export function buildPart(definition: PartDefinition, application: Application): Part {
  checkPart(definition);
  const { name, type, formula } = definition;
  const part: Part = {
    id: application.nextPart++,
    name,
    identifier: definition.identifier ?? '',
    type,
    readonly: definition.readonly ?? false,
    required: definition.required ?? false,
    options: [...(definition.options ?? [])],
    allowOther: definition.allowOther ?? false,
    children: [],
  };
  if (definition.timeUnit !== undefined) part.timeUnit = definition.timeUnit;
  if (formula !== undefined) part.formula = formula;
  part.children = (definition.children ?? []).map((child) => buildPart(child, application));
  if (type === 'input_list') {
    part.rowIdPart = application.nextPart++;
    if (part.children.some((child) => child.name === rowIdPart.name)) {
      throw new DefinitionError(
        `"${rowIdPart.name}" is reserved for the row IDs of the table part "${name}"`,
      );
    }
  }
  return part;
}

function checkPart({ name, type, formula }: PartDefinition): void {
  if (typeof name !== 'string' || name === '') throw new DefinitionError('A part needs a name');
  if (!partTypes.includes(type))
    throw new DefinitionError(`The part "${name}" has the unknown type "${type}"`);
  if (type === 'expression' && formula === undefined) {
    throw new DefinitionError(`The auto calculation "${name}" has no formula`);
  }
  if (formula !== undefined) checkFormula(formula);
}

function checkFormula(formula: string): void {
  try {
    calculate(formula, () => []);
  } catch (error) {
    if (error instanceof CalculationError) return;
    throw new DefinitionError((error as Error).message);
  }
}

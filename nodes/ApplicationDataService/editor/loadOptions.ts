import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { fetchLabels, type Label } from '../service/applications';
import { chosenApplication, withService } from './context';
import { partLabel } from './labels';

/** The parts of the chosen application. */
export async function getParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await withService(this, async (client) => {
    const application = await chosenApplication(this, client);
    return (application?.parts ?? []).map((part) => ({
      name: partLabel(part),
      value: part.id,
      description: part.type,
    }));
  });
}

/** The labels that applications carry, each below its parent, after the service's own groups. */
export async function getLabels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const labels = await withService(this, fetchLabels);
  return [
    { name: 'All Applications', value: 'all' },
    { name: 'Created by Me', value: 'self' },
    { name: 'My Favorites', value: 'favorite' },
    ...labels.map((label) => ({ name: pathOf(label, labels), value: label.id })),
  ];
}

function pathOf(label: Label, labels: readonly Label[]): string {
  const path = [label.name];
  const seen = new Set([label.id]);
  for (
    let parent = parentOf(label, labels);
    parent !== undefined && !seen.has(parent.id);
    parent = parentOf(parent, labels)
  ) {
    seen.add(parent.id);
    path.unshift(parent.name);
  }
  return path.join(' / ');
}

function parentOf(label: Label, labels: readonly Label[]): Label | undefined {
  return labels.find(({ id }) => id === label.parentId);
}

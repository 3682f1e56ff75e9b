import { basename } from 'node:path';

import versions from '../compat/versions.json';
import { CAPABILITIES } from './support/capabilities';

const older = process.env.COMPAT_FOLDER;

test('this n8n has all capabilities, or an older one all but those that it is known to lack', async () => {
  const lacks: string[] = [];
  for (const [name, has] of Object.entries(CAPABILITIES)) if (!(await has())) lacks.push(name);
  const known = versions.find(({ folder }) => older !== undefined && folder === basename(older));
  expect(lacks.sort()).toEqual(known?.lacks ?? []);
});

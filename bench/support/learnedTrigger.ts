import type { INodeParameters } from 'n8n-workflow';

import { TriggerEngine, type TriggerOptions } from '../../test/support/triggerEngine';
import type { Setup } from './setup';

/** A trigger that has learned the whole application. */
export async function learnedTrigger(
  { sandbox }: Pick<Setup, 'sandbox'>,
  options: INodeParameters = {},
  terms: TriggerOptions = {},
): Promise<TriggerEngine> {
  const engine = new TriggerEngine(
    { baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey },
    {
      application: { __rl: true, mode: 'identifier', value: 'large' },
      events: ['created', 'updated', 'deleted'],
      options,
    },
    terms,
  );
  await engine.activate();
  while (engine.state?.includes('"scan":{') !== false) await engine.poll();
  return engine;
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { Parameters } from '../../../../nodes/ApplicationDataService/operations/run/item';

/** A node with an option saved as `saved`. An expression returns the item's index. */
function parametersOf(saved: string, more: Readonly<Record<string, string>> = {}): Parameters {
  const context = {
    getNode: () => ({ parameters: { options: { limit: saved }, ...more } }),
    getNodeParameter: (_name: string, item: number) => ({ limit: saved.startsWith('=') ? item : saved }),
  };
  return new Parameters(context as unknown as IExecuteFunctions);
}

function derived(parameters: Parameters, by: object, index: number): unknown {
  return parameters.derived(['options'], by, () => ({ made: parameters.get('options', index) }));
}

test('a value without an expression is created once for all items, by each maker', () => {
  const parameters = parametersOf('7');
  const [by, other] = [{}, {}];
  expect(derived(parameters, by, 0)).toEqual({ made: { limit: '7' } });
  expect(derived(parameters, by, 1)).toBe(derived(parameters, by, 0));
  expect(derived(parameters, other, 0)).not.toBe(derived(parameters, by, 0));
});

test('a value with an expression is created for each item', () => {
  const parameters = parametersOf('={{ $itemIndex }}');
  const by = {};
  expect([0, 1].map((index) => derived(parameters, by, index))).toEqual([
    { made: { limit: 0 } },
    { made: { limit: 1 } },
  ]);
});

test('a failure is each item’s own', () => {
  const parameters = parametersOf('7');
  const fail = () => {
    parameters.get('options', 0);
    throw new Error('unreadable');
  };
  const by = {};
  expect(() => parameters.derived(['options'], by, fail)).toThrow('unreadable');
  expect(() => parameters.derived(['options'], by, fail)).toThrow('unreadable');
  expect(derived(parameters, by, 0)).toEqual({ made: { limit: '7' } });
});

test('a value of several parameters is created for each item if one of them has an expression', () => {
  const makers = [parametersOf('7', { filters: '' }), parametersOf('7', { filters: '={{ $json.a }}' })];
  const isShared = makers.map((parameters) => {
    const by = {};
    const make = (index: number): unknown =>
      parameters.derived(['options', 'filters'], by, () =>
        ['options', 'filters'].map((name) => parameters.get(name, index)),
      );
    return make(0) === make(1);
  });
  expect(isShared).toEqual([true, false]);
});

import { each, fromModel, testAgent, WAYS } from './support/agent';
import { like, some } from './support/like';
import { LINES } from './support/rows';
import { mapped } from './support/saved';
import { drop, ng } from './support/table';
import { RETRY, useWorkplace, type Workplace } from './support/workplace';

const place = useWorkplace(null);

const unknown = [{ error: like(/outcome unknown/) }];
const created = (id: string) => [{ id, outcome: 'created' }];
const part = fromModel('part', 'Part');
const getAll = { operation: 'getAll' };

describe('how much a model reads', () => {
  testAgent(place, getAll, {
    ...each([
      [null, 50],
      ['', 50],
      ['7', 7],
    ])('the limit is what a number may be: %s', ([limit, count]) => ({
      application: { records: Array.from({ length: 60 }, () => ({ Name: 'x' })) },
      run: { limit: fromModel('limit', 'How many', 'number') },
      ...{ says: [{ limit }], answers: [Array(count).fill(expect.anything())] },
    })),
    'it is said that nothing was found': {
      run: { options: { keyword: fromModel('k', 'Text') } },
      ...{ says: [{ k: 'zzz' }], answers: [[{ message: 'Nothing was found' }]] },
    },
    'a filter without part and value has no effect; a filter with one of them is refused': {
      run: { operation: 'count', filters: { condition: [{ part, value: fromModel('value', 'Value') }] } },
      says: [{ part: '', value: null }, { part: 'Name' }, { value: 'x' }],
      answers: [
        [{ count: 2 }],
        [{ error: like(/no value to compare/) }],
        [{ error: like(/No part is selected/) }],
      ],
    },
  });
});

// How calls are told apart: test/unit/operations/run/memory.test.ts.
describe('calls of one tool', () => {
  const values = { Name: fromModel('Name', 'x') };
  const [lost, retried] = [{ faults: [drop('insert_data', 'after')] }, { ways: WAYS, node: RETRY }];
  const item = mapped({ Item: 'a' });
  const create = { operation: 'create', values };
  testAgent(place, create, {
    'the same one twice runs twice': {
      ...{ says: [{ Name: 'W' }, { Name: 'W' }], answers: [created('3'), created('4')] },
    },
    'one after a call in doubt is not mistaken for that': {
      ...{ ways: WAYS, ...lost, says: [{ Name: 'V' }, { Name: 'W' }], answers: [unknown, created('4')] },
      stored: [...[{}, {}], { Name: 'V' }, { Name: 'W' }],
    },
    'with Retry On Fail, a create in doubt is not made again by a further try, nor by the same call': {
      ...{ ...retried, ...lost, says: [{ Name: 'V' }, { Name: 'V' }], answers: [unknown, unknown] },
      sent: { insert_data: 1 },
    },
    'with Retry On Fail, a create that was done before its try failed is given as done, once': {
      ...{ ...retried, faults: [ng('get_data', { times: 1 })] },
      run: { values, options: { returnRecord: true } },
      says: [{ Name: 'V' }, { Name: 'V' }],
      answers: ['3', '4'].map((id) => [some({ id, Name: 'V' })]),
    },
    'with Retry On Fail, two at once each write to their own record': {
      ...{ ...retried, atOnce: true },
      faults: [ng('update_data', { times: 1 }), { kind: 'latency', where: 'network', ms: 20 }],
      run: {
        ...{ resource: 'tableRow', operation: 'add', recordId: fromModel('id', 'Record') },
        ...{ tablePart: 'Lines', row: item },
      },
      says: ['1', '2', '2'].map((id) => ({ id })),
      answers: ['1', '2', '2'].map((recordId) => [{ recordId, outcome: 'created' }]),
      stored: [{ Lines: [{ Item: 'a' }] }, { Lines: [{ Item: 'a' }, { Item: 'a' }] }],
    },
  });
});

describe('a record that somebody changes between two calls', () => {
  const NAMED = { name: 'Name', type: 'textbox' };
  const between = (
    act: () => unknown,
    ...faults: Parameters<Workplace['meanwhile']>[2] & {}
  ): (() => Promise<void>) => {
    return async () => await place.meanwhile({ action: 'get_app', skip: 1, times: 1 }, act, faults);
  };
  const update = { operation: 'update', recordId: '1' };
  testAgent(place, update, {
    'a row that was not there is looked for again by the next call': {
      application: { parts: [NAMED, LINES], records: [{ Lines: [{ Item: 'x' }] }] },
      run: {
        ...{ operation: 'delete', resource: 'tableRow', tablePart: 'Lines', rowId: fromModel('id', 'Row') },
        options: { failIfNotFound: true },
      },
      before: between(async () => await place.change({ Lines: [{ id: '1', Item: 'x' }, { Item: 'y' }] })),
      says: [{ id: '2' }, { id: '2' }],
      after: async () => expect((await place.storedAt())?.values.Lines).toHaveLength(1),
    },
    'a call under another revision is another write': {
      run: { values: { Name: 'x' }, conflictPolicy: 'fail', revision: fromModel('rev', 'Revision') },
      before: between(
        async () => await place.change({ Price: '5' }),
        ...[drop('update_data', 'before'), ng('get_data', { times: 1 })],
      ),
      says: [{ rev: '1' }, { rev: '2' }],
      stored: [{ Name: 'x' }, {}],
    },
    'a call that sent nothing is compared again': {
      application: { records: [{ Name: 'k', Note: 'x' }] },
      run: { values: { Note: 'x' }, options: { skipUnchanged: true, returnRecord: true } },
      before: between(
        async () => await place.change({ Note: 'theirs' }),
        ng('get_data', { skip: 1, times: 1 }),
      ),
      says: [{}, {}],
      stored: [{ Note: 'x' }],
    },
  });
});

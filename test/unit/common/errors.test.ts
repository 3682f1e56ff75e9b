import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { UserError } from '../../../nodes/ApplicationDataService/util/userError';
import { toNodeError, withHeading } from '../../../nodes/ApplicationDataService/common/errors';
import { ServiceError } from '../../../nodes/ApplicationDataService/service/http/errors';

const node: INode = { id: '1', name: 'Node', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };

test('an answer of the service becomes an API error with its status', () => {
  const error = toNodeError(
    node,
    new ServiceError('busy', 'The service is busy', 'Wait', { status: 503 }),
    7,
  );
  expect(error).toBeInstanceOf(NodeApiError);
  expect(error).toMatchObject({
    message: 'The service is busy',
    description: 'Wait',
    httpCode: '503',
    context: { itemIndex: 7 },
  });
});

test.each([new UserError('It is empty', 'Fill it'), new ServiceError('lost', 'It is empty', 'Fill it')])(
  'anything else becomes an operation error: %s',
  (thrown) => {
    const error = toNodeError(node, thrown, 0);
    expect(error).toBeInstanceOf(NodeOperationError);
    expect(error).toMatchObject({
      message: 'It is empty',
      description: 'Fill it',
      context: { itemIndex: 0 },
    });
  },
);

test.each([new UserError('Empty', 'Fill it'), new ServiceError('busy', 'Busy', 'Wait', { status: 503 })])(
  'its cause says where a fault is, and is not stored with the execution: %s',
  (thrown) => {
    const error = toNodeError(node, thrown, 0);
    expect(error.cause).toBe(thrown);
    expect(Object.keys(error)).not.toContain('cause');
  },
);

test('a message keeps its words even if it names a system error', () => {
  const message = 'No answer (ECONNREFUSED) came';
  expect(toNodeError(node, new UserError(message, ''), 0).message).toBe(message);
});

test('advice of several lines keeps its lines in the panel of n8n, which shows HTML, and as text elsewhere', () => {
  const error = toNodeError(node, new UserError('2 values', '"A": use < 5 & > 3\n"B": a date'), 0);
  expect(error.description).toBe('"A": use < 5 & > 3\n"B": a date');
  expect(error.context.descriptionTemplate).toBe('"A": use &lt; 5 &amp; > 3<br>"B": a date');
  expect(toNodeError(node, new UserError('1 value', 'a date'), 0).context).toEqual({ itemIndex: 0 });
});

test('of a message of several lines, the first stays and the others begin the advice', () => {
  expect(
    withHeading(new UserError('2 values: "A", "B"\n- A is wrong\n- B is wrong', '"A": a date')),
  ).toMatchObject({ message: '2 values: "A", "B"', description: '- A is wrong\n- B is wrong\n"A": a date' });
  const short = new UserError('1 value', 'a date');
  expect(withHeading(short)).toBe(short);
  expect(withHeading('a text')).toBe('a text');
});

test('an error of n8n is unchanged, and everything else that is thrown has a message', () => {
  const own = new NodeOperationError(node, 'own');
  expect(toNodeError(node, own)).toBe(own);
  expect(toNodeError(node, 'a text').message).toBe('a text');
});

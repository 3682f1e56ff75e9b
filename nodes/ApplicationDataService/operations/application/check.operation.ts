import { applicationProperty, outputFieldProperty, readApplicationReference } from '../../common/properties';
import { switchSetting } from '../../common/setting';
import { connect } from '../../service/http/connect';
import { CREDENTIAL_NAME, readCredential } from '../../service/http/credentials';
import { settle } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import type { Item } from '../run/item';
import { readOperation } from '../run/types';
import { Inquiry } from './check/inquiry';
import { maskAll } from '../../service/http/secrets';
import { reportOf } from './check/report';
import { runCheck, type Answered } from './check/runCheck';

const writeTest = switchSetting({
  displayName: 'Write Test',
  name: 'writeTest',
  type: 'boolean',
  default: false,
  description:
    'Whether to also add, change and remove up to three records in the chosen application, with automatic processing off. Use an application that exists for testing.',
});

/**
 * Application > Check: how this service behaves where the interface is silent, and what that means. Everything that goes wrong is
 * an answer, not an error.
 */
export const checkApplication = readOperation({
  resource: 'application',
  value: 'check',
  name: 'Check',
  action: 'Check how the service behaves',
  description:
    'Find out how this service behaves where its interface is not documented, with a report that you can share',
  properties: [
    {
      ...applicationProperty,
      required: false,
      description: 'The application to check. If empty, the node checks only the connection.',
    },
    writeTest.property,
    outputFieldProperty('report'),
  ],
  options: {},
  async execute(item) {
    const field = item.requiredText('binaryPropertyName', 'The name of the field for the file');
    const inquiry = new Inquiry(await termsOf(item));
    const answered = maskAll(await checked(inquiry));
    const { helpers } = item.run.context;
    const report = Buffer.from(reportOf(answered));
    const file = await helpers.prepareBinaryData(report, 'report.md', 'text/markdown');
    return answered.map((each, index) => ({
      json: { ...each },
      ...(index === 0 && { binary: { [field]: file } }),
    }));
  },
});

async function termsOf(item: Item): Promise<Inquiry['terms']> {
  const { context, session } = item.run;
  const { authHeaderName, timeZone } = readCredential(await context.getCredentials(CREDENTIAL_NAME));
  return {
    client: session.client,
    clientWithHeader: async (name) => await connect(context, undefined, { authHeaderName: name }),
    headerName: authHeaderName,
    reference: readApplicationReference(item.value('application', '')),
    openApplication: async (reference) => await session.application(reference),
    writeTest: item.get(writeTest),
    timezone: timeZone || context.getTimezone(),
    now: Date.now,
    mark: `n8n-check-${crypto.randomUUID().replaceAll('-', '')}`,
  };
}

/** @throws UserError naming the records that are left, if the check was interrupted and could not remove them. */
async function checked(inquiry: Inquiry): Promise<Answered[]> {
  const answered = await settle(async () => await runCheck(inquiry));
  if ('value' in answered) return answered.value;
  const { ids, untraced } = await inquiry.cleanUp();
  if (ids.length === 0 && !untraced) throw answered.error;
  throw new UserError(
    ids.length > 0
      ? `The check was stopped and left these test records: ${ids.join(', ')}`
      : 'The check was stopped and may have left a test record',
    'Look for records whose texts begin with "n8n-check", and delete them.',
  );
}

import { applicationProperty, outputFieldProperty, readApplicationReference } from '../../common/properties';
import { connect } from '../../service/http/connect';
import { CREDENTIAL_NAME, readCredential } from '../../service/http/credentials';
import { readOperation } from '../run/types';
import { Inquiry } from './check/inquiry';
import { mask } from '../../service/http/secrets';
import { runCheck, byImportance, reportOf, totalOf } from './check/runCheck';

/**
 * Application > Check: how this service behaves where the interface is silent, and what that means. Everything that
 * goes wrong is an answer, not an error.
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
    outputFieldProperty('report'),
  ],
  options: {},
  async execute(item) {
    const field = item.requiredText('binaryPropertyName', 'The name of the field for the file');
    const { context, session } = item.run;
    const { authHeaderName, timeZone } = readCredential(await context.getCredentials(CREDENTIAL_NAME));
    const inquiry = new Inquiry({
      client: session.client,
      clientWithHeader: async (name) => await connect(context, undefined, { authHeaderName: name }),
      headerName: authHeaderName,
      reference: readApplicationReference(item.value('application', '')),
      openApplication: async (reference) => await session.application(reference),
      timezone: timeZone || context.getTimezone(),
      now: Date.now,
      mark: `n8n-check-${crypto.randomUUID().replaceAll('-', '')}`,
    });
    const answered = byImportance(await runCheck(inquiry)).map((each) => ({
      ...each,
      answer: mask(each.answer),
      consequence: mask(each.consequence),
    }));
    item.run.hints.add(totalOf(answered));
    const report = Buffer.from(reportOf(answered));
    const file = await context.helpers.prepareBinaryData(report, 'report.md', 'text/markdown');
    return answered.map((each, index) => ({
      json: { ...each },
      ...(index === 0 && { binary: { [field]: file } }),
    }));
  },
});

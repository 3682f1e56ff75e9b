import {
  NodeConnectionTypes,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';

import { applicationDataServiceApiTest } from './editor/credentialTest';
import { searchApplications } from './editor/applicationLists';
import { partLists } from './editor/partLists';
import { receive } from './webhook/receive';
import { register, webhookProperties } from './webhook/register';

export class ApplicationDataServiceWebhookTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Application Data Service Webhook Trigger',
    name: 'applicationDataServiceWebhookTrigger',
    icon: {
      light: 'file:../../icons/applicationDataServiceWebhook.svg',
      dark: 'file:../../icons/applicationDataServiceWebhook.dark.svg',
    },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description:
      'Starts the workflow within a second when the Application Data Service reports a created or updated record',
    defaults: { name: 'Application Data Service Webhook Trigger' },
    eventTriggerDescription: 'Waiting for the service to call the test URL',
    activationMessage: 'The workflow now starts when the service calls the production URL.',
    builderHint: {
      searchHint:
        'For AppSuite of desknet\'s NEO and similar services. Starts within a second if the service can be set up to call n8n. Each item is a complete record with "event" (created or updated). Misses deletions and everything that happens while n8n is down: to miss nothing, add the polling trigger and Remove Duplicates by ID and revision.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-application-data-service.applicationDataServiceTrigger',
          relationHint: 'Polls: also finds deletions and changes that no notification reported',
        },
        {
          nodeType: 'n8n-nodes-application-data-service.applicationDataService',
          relationHint: 'Reads and writes the records that the trigger returns',
        },
      ],
    },
    triggerPanel: {
      header: 'Let the service notify n8n',
      executionsHelp: {
        inactive:
          "<b>To try it</b>, enter the test URL in the application's automatic processing, click the button in this panel, and change a record.<br /><br /><b>When it works</b>, enter the production URL there instead and publish the workflow.",
        active:
          "<b>To try it</b>, enter the test URL in the application's automatic processing, click the button in this panel, and change a record.<br /><br /><b>The published workflow</b> starts by itself when the production URL is called. Its executions are in the executions list, not in the editor.",
      },
      activationHint:
        'Once the workflow is published, it starts whenever the service calls the production URL.',
    },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [
      { name: 'applicationDataServiceApi', required: true, testedBy: 'applicationDataServiceApiTest' },
    ],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: webhookProperties,
  };

  methods = {
    credentialTest: { applicationDataServiceApiTest },
    listSearch: { searchApplications },
    loadOptions: partLists,
  };

  /** The service has no way to enter an address from outside: a person does. What is missing on this side is said. */
  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await Promise.resolve(false);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return await register(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return await Promise.resolve(true);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await receive(this);
  }
}

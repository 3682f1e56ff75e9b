import {
  NodeConnectionTypes,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
} from 'n8n-workflow';

import { applicationDataServiceApiTest } from './editor/credentialTest';
import { searchApplications } from './editor/applicationLists';
import { partLists } from './editor/partLists';
import { runPoll } from './trigger/node/runPoll';
import { triggerProperties } from './trigger/node/settings';

export class ApplicationDataServiceTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Application Data Service Trigger',
    name: 'applicationDataServiceTrigger',
    icon: {
      light: 'file:../../icons/applicationDataService.svg',
      dark: 'file:../../icons/applicationDataService.dark.svg',
    },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description:
      'Records of a form-based Application Data Service: read and write them, or start a workflow when they are created, updated or deleted',
    defaults: { name: 'Application Data Service Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [
      { name: 'applicationDataServiceApi', required: true, testedBy: 'applicationDataServiceApiTest' },
    ],
    properties: triggerProperties,
    builderHint: {
      searchHint:
        'Polls. Each item is a complete record with "event" (created, updated or deleted), so you need no node to read it again. A deleted record has only its ID.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-application-data-service.applicationDataService',
          relationHint: 'Reads and writes the records that the trigger returns',
        },
      ],
    },
  };

  methods = {
    credentialTest: { applicationDataServiceApiTest },
    listSearch: { searchApplications },
    loadOptions: partLists,
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return await runPoll(this);
  }
}

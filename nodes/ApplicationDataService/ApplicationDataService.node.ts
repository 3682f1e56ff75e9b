import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';

import { applicationDataServiceApiTest } from './editor/credentialTest';
import { getLabels, searchApplications } from './editor/applicationLists';
import { partLists, partMappers } from './editor/partLists';
import { searchFiles, searchRecords, searchRows } from './editor/recordSearch';
import { buildProperties, chosenOperation } from './operations/registry';
import { runOperation } from './operations/run/runOperation';

export class ApplicationDataService implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Application Data Service',
    name: 'applicationDataService',
    icon: {
      light: 'file:../../icons/applicationDataService.svg',
      dark: 'file:../../icons/applicationDataService.dark.svg',
    },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description:
      'Read and write records, table rows and attachments of a form-based Application Data Service',
    defaults: { name: 'Application Data Service' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [
      { name: 'applicationDataServiceApi', required: true, testedBy: 'applicationDataServiceApiTest' },
    ],
    properties: buildProperties(),
    builderHint: {
      searchHint:
        "For AppSuite of desknet's NEO and similar services. Use Record > Create or Update instead of Create if the same data can arrive twice, and Record > Export for more than ten thousand records. Select the application in mode list or id. For tablePart and attachmentPart use IDs from their lists; elsewhere part names work, too.",
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-application-data-service.applicationDataServiceTrigger',
          relationHint: 'Starts a workflow when records are created, updated or deleted',
        },
      ],
    },
  };

  methods = {
    credentialTest: { applicationDataServiceApiTest },
    listSearch: { searchApplications, searchFiles, searchRecords, searchRows },
    loadOptions: { getLabels, ...partLists },
    resourceMapping: partMappers,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await runOperation(this, chosenOperation)];
  }
}

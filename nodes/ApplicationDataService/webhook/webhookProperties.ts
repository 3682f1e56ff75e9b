import type { INodeProperties } from 'n8n-workflow';

import { downloadOption, loadReferenceLists, partsToReturn, simplify } from '../common/options';
import { applicationProperty, optionsProperty } from '../common/properties';

/** Parameters of the webhook trigger. Names and values are saved in workflows: never change. */

const events: INodeProperties = {
  displayName: 'Trigger On',
  name: 'events',
  type: 'multiOptions',
  required: true,
  options: [
    { name: 'Record Created', value: 'created' },
    { name: 'Record Updated', value: 'updated' },
  ],
  default: ['created', 'updated'],
  description: 'What starts the workflow. The service does not report deletions.',
};

/** The webhook trigger's options, and the values they are read as. */
export const webhookOptions = {
  downloadAttachments: downloadOption,
  loadReferenceLists,
  partsToReturn,
};

export const webhookProperties: INodeProperties[] = [
  {
    ...applicationProperty,
    required: false,
    hint: "Empty means all. Let automatic processing send a webhook to the URL above, with the 'Webhook Token' as access token",
    description:
      'The application whose records start the workflow. Empty: every application whose automatic processing calls this address.',
  },
  events,
  simplify.property,
  optionsProperty(webhookOptions),
];

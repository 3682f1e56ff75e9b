import type {
  IAuthenticate,
  ICredentialDataDecryptedObject,
  ICredentialType,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';

import { DEFAULT_DATA_MODULE } from '../nodes/ApplicationDataService/service/http/address';
import { authenticateRequest } from '../nodes/ApplicationDataService/service/http/credentials';

/** n8n's usual field. A constant, because the linter mistakes a literal named "...Certs" for a secret. */
const ignoreSslIssues: INodeProperties = {
  displayName: 'Ignore SSL Issues (Insecure)',
  name: 'allowUnauthorizedCerts',
  type: 'boolean',
  default: false,
  description: 'Whether to connect even if the certificate of the service cannot be validated',
};

export class ApplicationDataServiceApi implements ICredentialType {
  name = 'applicationDataServiceApi';

  displayName = 'Application Data Service API';

  icon = {
    light: 'file:../icons/applicationDataService.svg',
    dark: 'file:../icons/applicationDataService.dark.svg',
  } as const;

  documentationUrl =
    'https://github.com/_owner_/n8n-nodes-application-data-service/blob/main/docs/credential.md';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://example.com/cgi-bin/dneo/dneo.cgi',
      description: 'Address of the service, as copied from the browser',
      hint: 'Open the service in your browser and copy the address',
    },
    {
      displayName: 'Access Key',
      name: 'accessKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'Issued in the service, for the user n8n acts as',
    },
    {
      displayName: 'Authentication Header Name',
      name: 'authHeaderName',
      type: 'string',
      default: 'X-Service-Auth',
      description: 'HTTP header that carries the access key',
      hint: "For desknet's NEO, enter X-Desknets-Auth",
    },
    {
      displayName: 'Data Module',
      name: 'dataModule',
      type: 'string',
      default: DEFAULT_DATA_MODULE,
      description: 'File name of the application-data module in the directory of the base URL',
    },
    ignoreSslIssues,
    {
      displayName: 'Time Zone',
      name: 'timeZone',
      type: 'string',
      default: '',
      placeholder: 'e.g. Asia/Tokyo',
      description:
        "Time zone of the service's dates and times, for all nodes with this credential. If empty, the workflow's time zone applies.",
    },
    {
      displayName: 'Web Server User',
      name: 'basicUser',
      type: 'string',
      default: '',
      description:
        'Only if a web server in front of the service asks for a user name and password of its own (HTTP Basic)',
    },
    {
      displayName: 'Web Server Password',
      name: 'basicPassword',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: "The password that belongs to 'Web Server User'",
    },
    {
      displayName: 'Webhook Token',
      name: 'webhookToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        'Only for the webhook trigger: a long random text of your own that the automatic processing sends as its access token',
      hint: 'Enter the same text in the automatic processing of the application',
    },
  ];

  /**
   * A function rather than a declaration: it refuses all other origins in one place, for n8n's HTTP Request node
   * too. The test is the nodes' `applicationDataServiceApiTest`, which has a sentence for each cause.
   */
  authenticate: IAuthenticate = async (
    credentials: ICredentialDataDecryptedObject,
    requestOptions: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> => await Promise.resolve(authenticateRequest(credentials, requestOptions));
}

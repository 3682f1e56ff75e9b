import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { ApplicationDataService } from '../../../nodes/ApplicationDataService/ApplicationDataService.node';
import { Sandbox } from '../../support/sandbox';
import { OtherServer } from './otherServer';

/** A sandbox and other servers, and credentials that are tested as with n8n's button. */
export class CredentialPlace {
  sandbox!: Sandbox;
  private readonly others: OtherServer[] = [];

  /** Starts a server other than the service, until the end of the test. */
  async other(...args: Parameters<typeof OtherServer.start>): Promise<OtherServer> {
    const server = await OtherServer.start(...args);
    this.others.push(server);
    return server;
  }

  /** @returns the message of the button, which never contains the access key. */
  async test(changes: ICredentialDataDecryptedObject = {}): Promise<INodeCredentialTestResult> {
    const data = {
      baseUrl: this.sandbox.baseUrl,
      accessKey: this.sandbox.accessKey,
      authHeaderName: 'X-Service-Auth',
      dataModule: 'appsr.cgi',
      allowUnauthorizedCerts: false,
      ...changes,
    };
    const { applicationDataServiceApiTest } = new ApplicationDataService().methods.credentialTest;
    const context = new CredentialTestContext({} as ConstructorParameters<typeof CredentialTestContext>[0]);
    const result = await applicationDataServiceApiTest.call(context, {
      id: '1',
      name: 'Test',
      type: 'applicationDataServiceApi',
      data,
    });
    expect(JSON.stringify(result)).not.toContain(String(data.accessKey).trim() || 'no key');
    return result;
  }

  /** The message of a credential that fails. */
  async failure(changes: ICredentialDataDecryptedObject = {}): Promise<string> {
    const { status, message } = await this.test(changes);
    expect(status).toBe('Error');
    return message;
  }

  /** Stops the other servers, and resets the sandbox. */
  async clear(): Promise<void> {
    await Promise.all(this.others.splice(0).map(async (server) => await server.stop()));
    await this.sandbox.resetDialect();
    await this.sandbox.clearFaults();
    await this.sandbox.clearLog();
  }
}

/** The place of a test file: with a sandbox before its tests, cleared after each. */
export function useCredentialPlace(): CredentialPlace {
  const place = new CredentialPlace();
  beforeAll(async () => void (place.sandbox = await Sandbox.borrow()));
  afterEach(async () => await place.clear());
  afterAll(async () => await place.sandbox.stop());
  return place;
}

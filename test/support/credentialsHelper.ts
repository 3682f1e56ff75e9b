import {
  ICredentialsHelper,
  type ICredentialDataDecryptedObject,
  type ICredentials,
  type IHttpRequestOptions,
  type INodeProperties,
} from 'n8n-workflow';

import { ApplicationDataServiceApi } from '../../credentials/ApplicationDataServiceApi.credentials';

/** Stands in for n8n's credential store: one credential, authenticated by the real credential type. */
export class TestCredentials extends ICredentialsHelper {
  private readonly type = new ApplicationDataServiceApi();

  constructor(private readonly data: ICredentialDataDecryptedObject) {
    super();
  }

  override getParentTypes(): string[] {
    return [];
  }

  override isCredentialUsableByNode(): boolean {
    return true;
  }

  override async authenticate(
    credentials: ICredentialDataDecryptedObject,
    _type: string,
    options: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    if (typeof this.type.authenticate !== 'function')
      throw new Error('The credential authenticates by a function');
    return await this.type.authenticate(credentials, options);
  }

  override async preAuthentication(): Promise<undefined> {
    return await Promise.resolve(undefined);
  }

  override async runPreAuthentication(): Promise<undefined> {
    return await Promise.resolve(undefined);
  }

  override async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
    return await Promise.resolve({ ...this.data });
  }

  override async getCredentials(): Promise<ICredentials> {
    return await Promise.reject(new Error('The nodes read decrypted credentials only'));
  }

  override async updateCredentials(): Promise<void> {
    await Promise.reject(new Error('The nodes do not change credentials'));
  }

  override async updateCredentialsOauthTokenData(): Promise<void> {
    await Promise.reject(new Error('The nodes do not change credentials'));
  }

  override getCredentialsProperties(): INodeProperties[] {
    return this.type.properties;
  }
}

import type { DemoAddress } from '../n8n/demo-address.ts';

/** A demo that is up; `--json` prints it as it stands. */
export interface RunningDemo extends DemoAddress {
  /** Where workflows may read and write files. */
  readonly filesFolder: string;
}

/** What a person needs to go on. */
export function describeDemo({
  n8nUrl,
  email,
  password,
  sandbox,
  workflows,
  filesFolder,
}: RunningDemo): string {
  const examples = Object.values(workflows).map(({ id, name }) => `  ${name}\n    ${n8nUrl}/workflow/${id}`);
  return `
The demo is up.

  n8n        ${n8nUrl}
  E-mail     ${email}
  Password   ${password}
  Sandbox    ${sandbox.baseUrl} (access key ${sandbox.accessKey})
  Its page   ${new URL('/', sandbox.baseUrl).href} (applications and records, live)
  Files      ${filesFolder}

What to try: log in, open an example and press "Execute workflow".
Examples that begin with a form, or wait for a change: publish these yourself first ("Publish", twice). A form then has its
address in the first node; a change starts the workflow within a minute.

${examples.join('\n')}

Then open one of its nodes: applications and parts in its lists come from the sandbox. What you make is kept in
demo/.data for the next start; "npm start -- --reset" starts from scratch. Ctrl-C ends both.`;
}

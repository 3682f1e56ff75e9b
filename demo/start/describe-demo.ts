import type { DemoAddress } from '../n8n/demo-address.ts';
import { exampleFiles } from '../n8n/seed.ts';

/** A running demo, as `--json` prints it. */
export interface RunningDemo extends DemoAddress {
  /** Where workflows may read and write files. */
  readonly filesFolder: string;
}

/** What a person needs to know to continue. */
export function describeDemo({
  n8nUrl,
  email,
  password,
  sandbox,
  workflows,
  filesFolder,
}: RunningDemo): string {
  const examples = exampleFiles()
    .flatMap((file) => workflows[file] ?? [])
    .map(({ id, name }) => `  ${name}\n    ${n8nUrl}/workflow/${id}`);
  return `
The demo is running.

  n8n        ${n8nUrl}
  E-mail     ${email}
  Password   ${password}
  Sandbox    ${sandbox.baseUrl} (access key ${sandbox.accessKey})
  Page       ${new URL('/', sandbox.baseUrl).href} (shows records live, and lets you play a colleague who changes them)
  Files      ${filesFolder}

What to try: log in, open an example and press "Execute workflow".
If an example starts with a form or a change, publish it first ("Publish", twice). The first node then shows the address of the
form; a change starts the workflow within a minute.

${examples.join('\n')}

To see what happens while the service is away, stop the sandbox alone, and start it again:
  curl -X POST ${sandbox.controlUrl}/stop
  curl -X POST ${sandbox.controlUrl}/start

Then open one of its nodes: the applications and parts in its lists come from the sandbox. Your work is kept in
demo/.data for the next start; "npm start -- --reset" starts over. Press Ctrl-C to stop both.`;
}

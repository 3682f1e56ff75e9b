import '../../scripts/check-node.mjs';

import { startCluster } from './cluster/cluster.ts';
import { runCommands, type CommandResult } from './cluster/commands.ts';
import { HELP, readClusterOptions } from './cluster/options.ts';
import type { DemoAddress } from '../../demo/n8n/demo-address.ts';
import { runMain } from '../../demo/process/run-main.ts';

await runMain(async (children) => {
  const options = readClusterOptions(process.argv.slice(2));
  if (options.help) {
    console.log(HELP);
    return 'done';
  }
  const { demo, webhookUrl, members } = await startCluster(children, options);
  console.log(
    options.json ? JSON.stringify({ ...demo, webhookUrl }) : describe(demo, webhookUrl, members.names),
  );
  void runCommands(members, options.json ? printJson : printText).then(() => {
    if (options.json) process.kill(process.pid, 'SIGTERM');
  });
  return 'serve';
});

function describe(
  { n8nUrl, email, password, sandbox }: DemoAddress,
  webhookUrl: string,
  names: readonly string[],
): string {
  return `
The cluster is up: ${names.join(', ')}.

  n8n        ${n8nUrl}
  Webhooks   ${webhookUrl}
  E-mail     ${email}
  Password   ${password}
  Sandbox    ${sandbox.baseUrl} (access key ${sandbox.accessKey})

Type "stop worker-1", "kill worker-1" or "start worker-1" to end one of them and start it again. Press Ctrl-C to stop everything.`;
}

function printText({ command, failure }: CommandResult): void {
  console.log(failure ?? `${command}: done`);
}

function printJson(result: CommandResult): void {
  console.log(JSON.stringify(result));
}

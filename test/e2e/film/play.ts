import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Browser } from 'playwright-core';

import { launchChromium, reloadWorkflow } from '../support/browser';
import { CredentialForm } from '../support/credential-form';
import { Editor } from '../support/editor';
import { demo, n8n, sandbox } from '../support/here';
import { ownersPage } from '../support/owner-page';
import { repository } from '../support/paths';
import { clickUntil, eventually, untilSays } from '../support/patience';
import { publishInEditor, unpublish } from '../support/published';
import { pollOften } from '../support/trigger-workflow';
import { lengthOf, Recorder } from './recorder';
import { runInTerminal, showTerminal } from './terminal';

/** What n8n asks for: at most five minutes, in one take. */
const LONGEST_SECONDS = 300;

/** The animated picture in README. */
const EXTRACT = { seconds: 10, mostBytes: 1_500_000, file: join(repository, 'docs', 'images', 'film.gif') };

const folder = mkdtempSync(join(tmpdir(), 'film-'));
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the film', async () => {
  const editor = new Editor(await ownersPage(browser), demo);
  const recorder = await Recorder.start(editor.page);
  await install(editor, recorder);
  await connect(editor, recorder);
  await createRecord(editor, recorder);
  await readRecords(editor, recorder);
  await react(editor, recorder);
  const film = await recorder.stop();
  recorder.extract(film, 'create', EXTRACT.seconds, EXTRACT.file);
  const [length, bytes] = [lengthOf(film), statSync(EXTRACT.file).size];
  console.log(`${film}: ${length.toFixed(0)} s; ${EXTRACT.file}: ${Math.round(bytes / 1000)} kB`);
  expect(length).toBeLessThanOrEqual(LONGEST_SECONDS);
  expect(bytes).toBeLessThanOrEqual(EXTRACT.mostBytes);
});

/** The package as it is published, in a folder for n8n's community nodes. */
async function install({ page }: Editor, recorder: Recorder): Promise<void> {
  const packed = execFileSync(process.execPath, ['demo/pack.ts', folder], {
    cwd: repository,
    encoding: 'utf8',
  });
  const tarball = packed.trim().split('\n').at(-1) ?? '';
  copyFileSync(tarball, join(folder, 'package.tgz'));
  await showTerminal(page);
  await recorder.caption('Installation: the package has no dependencies', 1500);
  await runInTerminal(page, 'npm install --no-audit --no-fund --omit=peer ./package.tgz', folder);
  await runInTerminal(page, 'ls node_modules/n8n-nodes-application-data-service', folder);
  await sleep(3000);
}

async function connect(editor: Editor, recorder: Recorder): Promise<void> {
  const form = new CredentialForm(editor);
  await form.open();
  await recorder.caption('The credential: an address and an access key');
  await form.rename('Our customers and orders');
  await form.save(demo.sandbox.baseUrl, 'a-wrong-key');
  await form.sentence(/access key/);
  await recorder.caption('The test says what is wrong', 3500);
  await form.save(demo.sandbox.baseUrl, demo.sandbox.accessKey);
  await form.isAccepted();
  await recorder.caption('With the right key, it succeeds', 2500);
}

async function createRecord(editor: Editor, recorder: Recorder): Promise<void> {
  await editor.newWorkflow();
  await recorder.caption('Create record');
  await editor.searchNode('application data');
  await sleep(1500);
  await editor.addNode('Actions', 'Create record');
  await editor.chooseApplication('cust', 'Customers', 'Orders');
  await editor.field('101').waitFor();
  await recorder.caption('The fields come from the application', 2000);
  await editor.type('101', 'Harbour Office Supplies');
  await editor.type('102', 'Nora Field');
  await editor.choose('105', 'B');
  await editor.type('109', '1500.5');
  recorder.mark('create');
  await editor.type('107', 'Tools, Tooling');
  await editor.executeStep();
  await editor.get('node-error-message').getByText('does not accept "Tooling"').waitFor();
  await recorder.caption('What cannot be right is refused before anything is sent, with the reason', 3000);
  await editor.type('107', 'Tools, Maintenance');
  await editor.executeStep();
  await editor.output.getByText('created', { exact: true }).waitFor();
  await recorder.caption('The new record, with its ID', 3000);
}

async function readRecords(editor: Editor, recorder: Recorder): Promise<void> {
  await editor.closeNode();
  await recorder.caption('Get many records, with a condition', 1500);
  await editor.add('Actions', 'Get many records', ['cust', 'Customers', 'Orders']);
  await filterBy(editor, 'Rank', 'B');
  await editor.executeStep();
  await editor.output.getByText('Harbour Office Supplies').first().waitFor();
  await recorder.caption('Customers of rank B, the new one among them', 3500);
}

async function react(editor: Editor, recorder: Recorder): Promise<void> {
  await editor.newWorkflow();
  await recorder.caption('The trigger: start a workflow when a record changes');
  await editor.add('Triggers', 'On record updated', ['inv', 'Inventory', 'Orders']);
  await filterBy(editor, 'Shelf', 'A-01');
  await editor.executeStep();
  await untilSays(editor.output, 'Hex bolt M8');
  await recorder.caption('Fetch Test Event shows an example', 3000);
  await editor.closeNode();
  const { workflowId } = editor;
  await pollOften(n8n, workflowId, '"A-01"');
  await reloadWorkflow(editor.page, workflowId);
  await publishInEditor(editor, n8n);
  await recorder.caption('Published. Now a colleague changes the stock ...', 2500);
  await sandbox.changeRecord('inventory', '1', { 'On Hand': 990 });
  await eventually(
    async () => await n8n.endedExecutions(workflowId),
    ({ length }) => expect(length).toBeGreaterThan(1),
  );
  await editor.showLastExecution(2);
  await editor.get('execution-preview-label').getByText('Succeeded').waitFor();
  await recorder.caption('... and the workflow has run', 4000);
  await unpublish(n8n, workflowId);
}

async function filterBy(editor: Editor, part: string, value: string): Promise<void> {
  await editor.page.keyboard.press('Tab');
  await clickUntil(
    editor.get('fixed-collection-filters').getByText('Add filter'),
    editor.field('part').first(),
  );
  await editor.choose('part', part);
  await editor.type('value', value);
}

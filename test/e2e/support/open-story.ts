import type { Browser } from 'playwright-core';

import { launchChromium, openNode } from './browser';
import { Editor } from './editor';
import { demo, n8n } from './here';
import { ownersPage } from './owner-page';
import { beside, type WorkflowNode } from './workflow';

/** A workflow of unconnected nodes. A story opens one after the other in a browser. */
export class OpenStory {
  private constructor(
    private readonly browser: Browser,
    readonly editor: Editor,
    readonly workflowId: string,
  ) {}

  /** Saves the workflow, and logs in. */
  static async begin(
    name: string,
    nodes: readonly WorkflowNode[],
    ...triggers: readonly WorkflowNode[]
  ): Promise<OpenStory> {
    const { id } = await n8n.post<{ id: string }>('workflows', beside(name, nodes, triggers));
    const browser = await launchChromium();
    return new OpenStory(browser, new Editor(await ownersPage(browser), demo), id);
  }

  /** Opens a node and shows its parameters. */
  async open(node: string): Promise<Editor> {
    await openNode(this.editor.page, demo, this.workflowId, node);
    return this.editor;
  }

  async end(): Promise<void> {
    await this.browser.close();
  }
}

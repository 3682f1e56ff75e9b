import type { Browser } from 'playwright-core';

import { openNode } from './browser';
import { Editor } from './editor';
import { demo, n8n } from './here';
import { ownersPage } from './owner-page';
import { useBrowser } from './use-browser';
import { beside, type WorkflowNode } from './workflow';

/** A workflow of unconnected nodes. A story opens one after the other in a browser. */
export class OpenStory {
  workflowId = '';
  #editor: Editor | undefined;

  /**
   * Saves the workflow, and logs in, for all stories of a file.
   * @param nodes the nodes, known once what the file needs exists
   */
  constructor(name: string, nodes: () => readonly WorkflowNode[]) {
    useBrowser(async (browser: Browser) => {
      const workflow = beside(name, nodes());
      this.workflowId = (await n8n.post<{ id: string }>('workflows', workflow)).id;
      this.#editor = new Editor(await ownersPage(browser), demo);
    });
  }

  get editor(): Editor {
    if (!this.#editor) throw new Error('The story has not begun.');
    return this.#editor;
  }

  /** Opens a node and shows its parameters. */
  async open(node: string): Promise<Editor> {
    await openNode(this.editor.page, demo, this.workflowId, node);
    return this.editor;
  }
}

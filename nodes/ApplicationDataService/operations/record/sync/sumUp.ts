import { counted } from '../../../util/counted';
import type { SyncWork } from './syncWork';

/** What happened to the records that are not in the input. */
interface Removed {
  readonly removed: number;
  /** Should have been removed, but still exist. */
  readonly kept: number;
  /** Items that were not written. */
  readonly failed: number;
}

/** Adds hints that sum up the run, or what it would do. */
export function sumUp({ item, removal, sync }: SyncWork, { removed, kept, failed }: Removed): void {
  const { hints } = item.run;
  const { outcomes = new Map<string, number>(), others = 0, otherFiles = 0 } = sync ?? {};
  const count = (outcome: string): number => outcomes.get(outcome) ?? 0;
  hints.add(
    `${count('created')} created, ${count('updated')} updated, ${count('unchanged')} unchanged, ${removed} removed, ${others + kept} kept`,
  );
  if (removal.missing === 'delete' && failed > 0) {
    hints.add(
      `Nothing was removed because ${failed} of the items failed: ${counted(kept, 'record that is not in the input was', 'records that are not in the input were')} kept`,
    );
  }
  if (otherFiles > 0) {
    hints.add(
      `${counted(otherFiles, 'file was left as it is', 'files were left as they are')}: the record holds a file of the same name and another size`,
    );
  }
}

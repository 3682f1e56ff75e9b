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
export function sumUp({ item, options, removal, sync }: SyncWork, { removed, kept, failed }: Removed): void {
  const { hints } = item.run;
  const { outcomes = new Map<string, number>(), others = 0, otherFiles = 0 } = sync ?? {};
  const count = (outcome: string): number => outcomes.get(outcome) ?? 0;
  const [created, updated, unchanged] = ['created', 'updated', 'unchanged'].map(count);
  const rest = others + kept;
  if (options.dryRun) {
    hints.add(
      `${created} would be created, ${updated} would be updated, ${unchanged} unchanged, ${removed} would be removed, ${rest} kept`,
    );
  } else {
    hints.add(
      `${created} created, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${rest} kept`,
    );
  }
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

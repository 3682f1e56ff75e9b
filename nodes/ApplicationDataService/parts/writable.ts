import { codecOf } from './codecs';
import { writeObstacle } from './model/obstacle';
import type { Part } from './model/part';

/**
 * Whether values of a part may be written at all: not read-only, system or reference, and of a type that is written.
 */
export function isWritable(part: Part): boolean {
  return writeObstacle(part, codecOf(part)) === null;
}

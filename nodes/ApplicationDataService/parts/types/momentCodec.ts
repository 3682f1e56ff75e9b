import type { PartCodec } from '../model/codec';
import { refuse } from '../model/errors';
import { readMoment, type WallTime } from '../values/moment';
import { isBlank } from '../values/shapes';

interface MomentForm {
  readonly read: PartCodec['read'];
  readonly accepts: string;
  readonly format: (wall: WallTime) => string;
  /** How a value looks; a suggestion is cut to its length. */
  readonly pattern: string;
}

/** The codec of a part that holds a day, or a minute of one, as the clocks of the workflow's time zone show it. */
export function momentCodec({ read, accepts, format, pattern }: MomentForm): PartCodec {
  return {
    read,
    write(value, part, context) {
      if (isBlank(value)) return { kind: 'text', text: '' };
      const moment = readMoment(value, context.timezone);
      if ('problem' in moment) {
        throw refuse(part, value, {
          reason: `it ${moment.problem}`,
          accepts,
          suggestion: moment.suggestion?.slice(0, pattern.length),
        });
      }
      const text = format(moment.wall);
      return moment.converted ? { kind: 'text', text, converted: true } : { kind: 'text', text };
    },
    accepts,
    editor: 'string',
    sortable: true,
    searchable: false,
    filterable: true,
  };
}

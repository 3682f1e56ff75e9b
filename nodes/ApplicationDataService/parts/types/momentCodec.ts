import type { PartCodec } from '../model/codec';
import { refuse } from '../model/errors';
import { readMoment, type WallTime } from '../values/moment';
import { isBlank } from '../values/shapes';

interface MomentForm {
  readonly read: PartCodec['read'];
  readonly accepts: string;
  readonly format: (wall: WallTime) => string;
  /** The form of a value. A suggestion is cut to its length. */
  readonly pattern: string;
}

/** The codec of a part with a date, or a date and time, in the workflow's time zone. */
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

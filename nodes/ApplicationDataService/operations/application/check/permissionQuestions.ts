import { isObject } from '../../../parts/values/shapes';
import { handled, limited, ok, type Finding } from './finding';
import type { Inquiry } from './inquiry';
import { questionsOn, type Question } from './question';
import { NO_RECORD } from './noRecord';
import type { RawRecord } from '../../../service/read/recordList';

/** The key of a record's rights, once parsed. */
export const PERMISSION_KEYS = ['\\permissions', '\\\\permissions', 'permissions'];

async function permissionsKey(inquiry: Inquiry): Promise<Finding> {
  const record = await inquiry.oneRecord();
  if (record === null) return NO_RECORD;
  switch (rightsKey(record)) {
    case '\\permissions':
      return ok('With one backslash before the word', 'Nothing to do.');
    case undefined:
      return limited('They are missing', '"canWrite" and "canDelete" are not in the output of Get.');
    case 'permissions':
      return handled('Without a backslash', 'The nodes read it as well.');
    default:
      return handled('With two backslashes before the word', 'The nodes read it as well.');
  }
}

function rightsKey(record: RawRecord): string | undefined {
  return PERMISSION_KEYS.find((key) => {
    const rights = record[key];
    return isObject(rights) && ('allow_write' in rights || 'allow_delete' in rights);
  });
}

async function listPermissions(inquiry: Inquiry): Promise<Finding> {
  const [first] = await inquiry.records([['limit', '1']]);
  if (first === undefined) return NO_RECORD;
  if (rightsKey(first.raw) !== undefined) return ok('Yes', 'Nothing to do.');
  return limited(
    'No',
    '"canWrite" and "canDelete" are missing in Get Many and the trigger. Use Get where they matter.',
  );
}

const onLists = questionsOn('Lists', 'application');

/** Questions about where a record contains its permissions. */
export const permissionQuestions: readonly Question[] = [
  onLists('Under which key are permissions returned?', permissionsKey),
  onLists('Do lists carry permissions?', listPermissions),
];

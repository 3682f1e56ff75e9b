import { notificationTypes, type Notification } from '../storage/applications.ts';
import { ControlError, objectOf, textOr } from './body.ts';

/**
 * Where an application sends notifications; undefined for nowhere.
 * @throws {@link ControlError}
 */
export function readNotification(given: unknown): Notification | undefined {
  if (given === null) return undefined;
  const { address, token, events = notificationTypes, actionName } = objectOf(given);
  const url = URL.parse(textOr(address, ''));
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new ControlError('The address of notifications must begin with http:// or https://');
  }
  if (!Array.isArray(events)) throw new ControlError('The events of notifications must be an array');
  const unknown = (events as unknown[]).find((event) => !notificationTypes.some((type) => type === event));
  if (unknown !== undefined) {
    throw new ControlError(`Each event of notifications must be one of: ${notificationTypes.join(', ')}`);
  }
  return {
    address: url.href,
    token: textOr(token, ''),
    events: notificationTypes.filter((type) => events.includes(type)),
    actionName: textOr(actionName, 'Notify n8n'),
  };
}

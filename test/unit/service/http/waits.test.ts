import { Waits } from '../../../../nodes/ApplicationDataService/service/http/waits';

test('waits add up, and those that last count as well', async () => {
  let now = 1000;
  const waits = new Waits(() => now);
  let end: () => void = () => undefined;
  const first = waits.during(new Promise<void>((resolve) => (end = resolve)));
  now += 30;
  expect(waits.milliseconds).toBe(30);
  const second = waits.during(new Promise<void>(() => undefined));
  now += 10;
  expect(waits.milliseconds).toBe(50);
  end();
  await first;
  now += 5;
  expect(waits.milliseconds).toBe(55);
  void second;
});

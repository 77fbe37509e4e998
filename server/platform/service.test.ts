import { expect, test } from 'vitest';
import { DatabaseUnavailableError } from './db/errors.ts';
import { createLogger } from './logger.ts';
import { createHealth } from './service.ts';

function startTask() {
  const lines: { level: number; msg: string; failures?: number }[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const health = createHealth({ service: 'mails', logger });
  return { task: health.task('mails', { failsAfterMs: 1_000 }), health, lines };
}

test('a task that fails over and over in the same way logs a line, and another once it succeeds', () => {
  const { task, health, lines } = startTask();
  for (let count = 0; count < 5; count += 1) task.failed(new Error('No answer'));
  task.failed(new Error('Refused'));
  task.succeeded();
  task.succeeded();
  task.failed(new Error('Refused'));
  expect(lines.map(({ msg }) => msg)).toEqual([
    'background work failed',
    'background work failed',
    'background work goes on',
    'background work failed',
  ]);
  expect(lines[2]).toMatchObject({ level: 30, failures: 6 });
  expect(health.report().tasks[0]).toMatchObject({ errors: 7 });
});

test('an outage of the database is told of once, whichever tasks it stops', () => {
  const { task, health, lines } = startTask();
  const other = health.task('alerts', { failsAfterMs: 1_000 });
  for (const each of [task, other, task]) each.failed(new DatabaseUnavailableError('gone'));
  for (const each of [task, other]) each.succeeded();
  expect(lines).toMatchObject([{ level: 50, noticedBy: 'background work failed' }]);
});

import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { joinEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { isProcessAlive, killOwner, queryValues, setUpEmbeddedScratch } from '#tests/support/embedded-scratch.ts';

const scratch = setUpEmbeddedScratch();

test('the first start makes a durable UTF-8 database, and the next one finds its rows', async () => {
  const first = await scratch.start();
  expect(
    await queryValues(
      first.connectionString,
      `select current_database(), current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
              current_setting('data_checksums') as checksums, lower('ÉÀ') as folded, 'B' < 'a' as is_by_code_point`,
    ),
  ).toEqual(['dovepost', 'UTF8', 'on', 'on', 'éà', true]);
  await queryValues(first.connectionString, 'create table kept as select 42 as answer');
  const pid = await scratch.postmasterPid();
  await first.stop();
  await first.stop();
  expect(isProcessAlive(pid)).toBe(false);

  const second = await scratch.start();
  expect(await queryValues(second.connectionString, 'select answer from kept')).toEqual([42]);
  expect((await readdir(scratch.dataDir)).toSorted()).toEqual(['postgres', 'postgres.log']);
});

test('work beside a server that runs joins its database, and finds none where nobody runs one', async () => {
  const owner = await scratch.startOwner();
  const joined = await joinEmbeddedPostgres(scratch.dataDir);
  expect(joined).toBe(owner.answer.connectionString);
  expect(await queryValues(joined, 'select 1')).toEqual([1]);
  await killOwner(owner, 'SIGTERM');
  await expect(joinEmbeddedPostgres(scratch.dataDir)).rejects.toThrow('no server runs the database');
});

test('only loopback answers, and only with the password, which nobody else may read', async () => {
  const { connectionString } = await scratch.start();
  const wrong = connectionString.replace(/:[^:@]+@/, ':wrong@');
  await expect(queryValues(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  expect(await queryValues(connectionString, "select current_setting('listen_addresses')")).toEqual(['127.0.0.1']);
  expect((await stat(join(scratch.dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(scratch.dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
});

test('the application comes in by a socket, and by TCP where the path is too long for one', async () => {
  const dataDir = join(scratch.directory, 'a'.repeat(80));
  const [short, long] = [
    await scratch.start({ dataDir: join(scratch.directory, 'short') }),
    await scratch.start({ dataDir }),
  ];
  for (const { connectionString, application } of [short, long]) {
    const { name, password } = application.role;
    await queryValues(connectionString, `create role ${name} login password '${password}'`);
  }
  const isBySocket = ({ application }: typeof short) =>
    queryValues(application.connectionString, 'select inet_client_addr() is null');
  expect(await isBySocket(short)).toEqual([true]);
  expect(await isBySocket(long)).toEqual([false]);
  const wrong = short.application.connectionString.replace(/:[^:@]+@/, ':wrong@');
  await expect(queryValues(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
});

test('stored values are kept out of the log', async () => {
  const { connectionString } = await scratch.start();
  await queryValues(connectionString, "create table people as select 'ann@example.com' as email");
  await queryValues(connectionString, 'create unique index on people (email)');
  await expect(queryValues(connectionString, "insert into people values ('ann@example.com')")).rejects.toThrow(
    'duplicate',
  );
  expect(await readFile(join(scratch.dataDir, 'postgres.log'), 'utf8')).not.toContain('ann@example.com');
});

test('a database that a killed server left running is taken over', async () => {
  const killed = await scratch.startOwner();
  await queryValues(killed.answer.connectionString, 'create table kept as select 7 as answer');
  const pid = await scratch.postmasterPid();
  await killOwner(killed, 'SIGKILL');
  expect(isProcessAlive(pid)).toBe(true);

  const next = await scratch.start();
  expect(await scratch.postmasterPid()).toBe(pid);
  expect(next.connectionString).toBe(killed.answer.connectionString);
  expect(await queryValues(next.connectionString, 'select answer from kept')).toEqual([7]);
  await next.stop();
  // Its file goes a moment before it does, and it is nobody's child here.
  await expect.poll(() => isProcessAlive(pid)).toBe(false);
});

test('a database left running with other settings is started anew', async () => {
  const killed = await scratch.startOwner();
  const pid = await scratch.postmasterPid();
  await killOwner(killed, 'SIGKILL');
  const next = await scratch.start({ settings: { work_mem: '5MB' } });
  expect(await scratch.postmasterPid()).not.toBe(pid);
  expect(await queryValues(next.connectionString, 'show work_mem')).toEqual(['5MB']);
});

test('a second start is refused in one line while the first lives, and harms nothing', async () => {
  const first = await scratch.startOwner();
  const { answer } = await scratch.startOwner();
  expect(answer.error).toBe(
    `DataDirInUseError: DATA_DIR: ${scratch.dataDir} is in use by another running server (process ${first.process.pid})`,
  );
  expect(await queryValues(first.answer.connectionString, 'select 1')).toEqual([1]);
});

test('of many first starts at once one wins and the others are refused', async () => {
  const owners = await Promise.all([scratch.startOwner(), scratch.startOwner(), scratch.startOwner()]);
  const refusals = owners.flatMap(({ answer }) => answer.error ?? []);
  const isInUse = expect.stringMatching(/^DataDirInUseError: /);
  expect(refusals).toEqual([isInUse, isInUse]);
  expect((await readdir(scratch.dataDir)).toSorted()).toEqual(['postgres', 'postgres.log']);
});

test('a requested stop leaves nothing behind', async () => {
  const owner = await scratch.startOwner();
  const pid = await scratch.postmasterPid();
  await killOwner(owner, 'SIGTERM');
  expect(owner.process.exitCode).toBe(0);
  expect(isProcessAlive(pid)).toBe(false);
});

test('the database is in a session of its own', async () => {
  await scratch.start();
  const pid = await scratch.postmasterPid();
  const [session, group] = execFileSync('ps', ['-o', 'sid=,pgid=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number);
  expect([session, group]).toEqual([pid, pid]);
});

test('a killed initialisation leaves no half-made database', async () => {
  await mkdir(join(scratch.dataDir, 'postgres.new-killed', 'cluster'), { recursive: true });
  await writeFile(join(scratch.dataDir, 'postgres.new-killed', 'cluster', 'PG_VERSION'), '18\n');
  const { connectionString } = await scratch.start();
  expect(await queryValues(connectionString, 'select 1')).toEqual([1]);
  expect((await readdir(scratch.dataDir)).toSorted()).toEqual(['postgres', 'postgres.log']);
});

test('a crash of the whole database is mended behind the same address', async () => {
  const { connectionString } = await scratch.start();
  await queryValues(connectionString, 'create table kept as select 9 as answer');
  const pid = await scratch.postmasterPid();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => queryValues(connectionString, 'select answer from kept').catch(() => [])).toEqual([9]);
  expect(await scratch.postmasterPid()).not.toBe(pid);
});

describe('a database that cannot be brought back at once', () => {
  const lost: Error[] = [];
  let elsewhere: string;
  let home: string;
  let connectionString: string;

  beforeEach(async () => {
    lost.length = 0;
    home = join(scratch.dataDir, 'postgres');
    elsewhere = join(scratch.directory, 'elsewhere');
    await mkdir(elsewhere);
    ({ connectionString } = await scratch.start({ onLost: (error) => lost.push(error) }));
    const pid = await scratch.postmasterPid();
    await rename(home, join(elsewhere, 'postgres'));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isProcessAlive(pid)).toBe(false);
  });

  test('is brought back once it can be', async () => {
    await rename(join(elsewhere, 'postgres'), home);
    await expect.poll(() => queryValues(connectionString, 'select 1').catch(() => [])).toEqual([1]);
    expect(lost).toEqual([]);
  });

  test('is left to another server that has taken it meanwhile', async () => {
    const other = await scratch.startOwner({ dataDir: elsewhere });
    await rename(join(elsewhere, 'postgres'), home);
    await expect.poll(() => lost[0]?.name).toBe('DataDirInUseError');
    expect(await queryValues(other.answer.connectionString, 'select 1')).toEqual([1]);
  });
});

describe.runIf(process.platform === 'linux')('a process number that was given out again', () => {
  test('is not mistaken for the database', async () => {
    await (await scratch.start()).stop();
    const cluster = join(scratch.dataDir, 'postgres/cluster');
    // Of the user that runs PostgreSQL, and not its parent: it would not start beside such a process.
    const { uid, gid } = await stat(cluster);
    const other = spawn('sleep', ['1000'], { uid, gid, cwd: '/' });
    onTestFinished(() => void other.kill());
    await writeFile(join(cluster, 'postmaster.pid'), `${other.pid}\n/elsewhere\n1\n1\n\n127.0.0.1\n\nready\n`);
    const { connectionString } = await scratch.start();
    expect(await queryValues(connectionString, 'select 1')).toEqual([1]);
    expect(await scratch.postmasterPid()).not.toBe(other.pid);
  });

  test('nor is the original of a copied directory', async () => {
    const original = await scratch.start();
    await queryValues(original.connectionString, 'create table kept as select 1 as answer');
    const copy = `${scratch.dataDir}-copy`;
    const isNoSocket = async (path: string) => !(await stat(path)).isSocket();
    await cp(scratch.dataDir, copy, { recursive: true, filter: isNoSocket });
    const copied = await scratch.start({ dataDir: copy });
    expect(copied.connectionString).not.toBe(original.connectionString);
    await queryValues(copied.connectionString, 'drop table kept');
    expect(await queryValues(original.connectionString, 'select answer from kept')).toEqual([1]);
  });
});

test('another directory gets a database of its own, and so does a deleted one', async () => {
  const first = await scratch.start();
  const other = await scratch.start({ dataDir: join(scratch.directory, 'other') });
  await queryValues(first.connectionString, 'create table mine ()');
  expect(await queryValues(other.connectionString, "select to_regclass('mine')")).toEqual([null]);
  await first.stop();
  await rm(scratch.dataDir, { recursive: true });
  const again = await scratch.start();
  expect(await queryValues(again.connectionString, "select to_regclass('mine')")).toEqual([null]);
});

describe('a start that fails', () => {
  test('says what PostgreSQL said, and leaves nothing running', async () => {
    await expect(scratch.start({ settings: { shared_buffers: 'much' } })).rejects.toThrow(
      /^DATA_DIR: PostgreSQL did not start: .*invalid value for parameter "shared_buffers"/,
    );
    await expect(scratch.postmasterPid()).rejects.toThrow('ENOENT');
  });

  test('names a directory that is a file', async () => {
    await writeFile(scratch.dataDir, '');
    await expect(scratch.start()).rejects.toThrow(/^DATA_DIR: .*ENOTDIR/);
  });

  test('names the version that made the files', async () => {
    await (await scratch.start()).stop();
    await writeFile(join(scratch.dataDir, 'postgres/cluster/PG_VERSION'), '17\n');
    await expect(scratch.start()).rejects.toThrow(/was made by PostgreSQL 17, expected 18/);
  });
});

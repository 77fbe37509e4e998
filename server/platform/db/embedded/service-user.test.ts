import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  isProcessAlive,
  killOwner,
  ownerScript,
  queryValues,
  setUpEmbeddedScratch,
} from '#tests/support/embedded-scratch.ts';

const scratch = setUpEmbeddedScratch();

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('the database runs as an unprivileged user that keeps its files', async () => {
    await scratch.start();
    const owner = await stat(join(scratch.dataDir, 'postgres/cluster'));
    expect(owner.uid).not.toBe(0);
    expect((await stat(`/proc/${await scratch.postmasterPid()}`)).uid).toBe(owner.uid);
    expect((await stat(scratch.dataDir)).uid).toBe(0);
  });

  test('a backup that root copied back is taken', async () => {
    const first = await scratch.start();
    await queryValues(first.connectionString, 'create table kept as select 3 as answer');
    await first.stop();
    const copy = `${scratch.dataDir}-copy`;
    await cp(scratch.dataDir, copy, { recursive: true });
    const copied = await scratch.start({ dataDir: copy });
    expect(await queryValues(copied.connectionString, 'select answer from kept')).toEqual([3]);
  });

  test('an ordinary user gets the same from a directory of its own', async ({ skip }) => {
    const ids = { uid: 54_321, gid: 54_321 };
    const canRun = spawnSync(process.execPath, ['--check', ownerScript], { ...ids, cwd: '/' }).status === 0;
    skip(!canRun, 'the checkout is below a directory that only root may enter');
    const name = `dovepost-test-${process.pid}`;
    execFileSync('/usr/sbin/useradd', ['--no-create-home', '--uid', String(ids.uid), name]);
    onTestFinished(() => void execFileSync('/usr/sbin/userdel', [name]));
    await chmod(scratch.directory, 0o711);
    const home = join(scratch.directory, 'home');
    await mkdir(home, { mode: 0o700 });
    await chown(home, ids.uid, ids.gid);
    const dataDir = join(home, 'data');

    const owner = await scratch.startOwner({ ...ids, dataDir });
    expect(owner.answer.error).toBeUndefined();
    const pid = await scratch.postmasterPid(dataDir);
    expect((await stat(`/proc/${pid}`)).uid).toBe(ids.uid);
    await killOwner(owner, 'SIGKILL');
    const next = await scratch.startOwner({ ...ids, dataDir });
    expect(await scratch.postmasterPid(dataDir)).toBe(pid);
    await killOwner(next, 'SIGTERM');
    expect(isProcessAlive(pid)).toBe(false);

    // Root goes on with what the user began, as that user.
    await scratch.start({ dataDir });
    expect((await stat(`/proc/${await scratch.postmasterPid(dataDir)}`)).uid).toBe(ids.uid);
  });
});

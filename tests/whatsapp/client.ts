/** Starts a stand-in as a process of its own, or talks to one that runs, with the same typed methods. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { controlMethods } from './control.ts';
import type { StandInControl } from './control.ts';

export type StandInProcess = { url: string; admin: string; control: StandInControl; stop(): Promise<void> };

export async function startStandIn(): Promise<StandInProcess> {
  const main = new URL('./main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const firstLine = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`The stand-in stopped with ${code}`)));
  });
  const { url, admin } = JSON.parse(await firstLine) as { url: string; admin: string };
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  return { url, admin, control: connectToStandIn(admin), stop };
}

export function connectToStandIn(admin: string): StandInControl {
  const call = async (method: string, args: unknown[]): Promise<unknown> => {
    const response = await fetch(`${admin}/${method}`, { method: 'POST', body: JSON.stringify(args) });
    const answer = (await response.json()) as { result?: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  };
  const methods = controlMethods.map((name) => [name, (...args: unknown[]) => call(name, args)]);
  return Object.fromEntries(methods) as StandInControl;
}

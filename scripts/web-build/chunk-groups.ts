import { join } from 'node:path';
import type { Rolldown } from 'vite';

/** The libraries that validate forms. Heavy: a page that opens without a form does without. */
const formModules = /\/node_modules\/(?:zod|react-hook-form|@hookform\/resolvers)\//;

/** A module shared by this many pages and dialogs goes into the common chunk, since nearly every visit needs it. */
const commonShareCount = 4;

/** Shared by several pages, and still nothing that nearly every visit needs. */
const ofSomePages = /\/shared\/code\//;

/** Smaller parts that some pages share come together: a request more costs longer than what a page does not need. */
const mergedChunkBytes = 10_000;

type Context = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...args: never) => unknown>>[1];

/**
 * Which modules of the web app come in one file: few files a page (docs/decisions/a-page-comes-in-few-files.md), and
 * whatever leads to the checking of forms apart from what does not.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  return [
    { name: 'react', test: /\/node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/ },
    { name: 'router', test: /\/node_modules\/@tanstack\/(?:react-router|router-core|history|react-store|store)\// },
    { name: 'entry', tags: ['$initial'] },
    { name: (id, context) => (isOfSignInPage(id, context) ? kindOf(id, context, 'base') : null), debugName: 'base' },
    {
      name: (id, context) => (ofSomePages.test(id) ? null : kindOf(id, context, 'common')),
      debugName: 'common',
      minShareCount: commonShareCount,
    },
    { name: 'frame', test: /\/app\/shell\/shell\./ },
    {
      name: (id, context) => kindOf(id, context, 'shared'),
      debugName: 'shared',
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: mergedChunkBytes,
    },
  ];
}

function kindOf(id: string, context: Context, kind: string): string {
  return leadsToForms(id, context) ? `${kind}-forms` : kind;
}

/** Small, and most of what it is made of is part of almost every other page. */
const signInPage = join(import.meta.dirname, '../../web/features/accounts/login-page.tsx');

function isOfSignInPage(id: string, context: Context): boolean {
  return importedAtOnce(signInPage, context).has(id);
}

function leadsToForms(id: string, context: Context): boolean {
  return [...importedAtOnce(id, context)].some((module) => formModules.test(module));
}

/** The module, and all that it cannot run without. */
function importedAtOnce(id: string, context: Context): Set<string> {
  const modules = new Set([id]);
  // A set goes on with what is added to it.
  for (const module of modules) for (const next of context.getModuleInfo(module)?.importedIds ?? []) modules.add(next);
  return modules;
}

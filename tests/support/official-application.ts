import { beforeAll } from 'vitest';
import { CloudApiStandIn } from '../cloud-api/stand-in.ts';
import { startTestApplication } from './application.ts';
import type { TestApplication } from './application.ts';

type Official = { meta: CloudApiStandIn; app: TestApplication };

/** The stand-in for Meta and an application that calls it, for the tests of a file. */
export function setUpOfficial(onStarted: (official: Official) => void): void {
  beforeAll(async () => {
    const meta = await CloudApiStandIn.listen();
    const app = await startTestApplication({ env: meta.settings });
    onStarted({ meta, app });
    return async () => {
      await app[Symbol.asyncDispose]();
      await meta.close();
    };
  });
}

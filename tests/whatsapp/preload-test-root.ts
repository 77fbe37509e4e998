/** For a process of the product: `node --import ./tests/whatsapp/preload-test-root.ts server/entry/serve.ts`. */
import { trustTestRoot } from './test-root.ts';

trustTestRoot();

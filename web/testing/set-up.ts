import { afterEach } from 'vitest';
import { clearSession } from '#web/shared/session.ts';

// Test files share a page: nobody stays signed in for the next test.
afterEach(clearSession);

import { createContext } from 'react';

/** Whether the frame around a page has its `main` element already: there is one on a page. */
export const HasMain = createContext(false);
